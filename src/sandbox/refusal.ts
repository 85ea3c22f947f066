import type { EmulatedReply, EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import { reply } from "../emulator-kit/emulator.ts";

/** A refused request, with an error code of the standard (RFC 6749, 5.2). */
export class Refusal extends Error {
  readonly error: string;
  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

type Handle = (request: EmulatedRequest) => EmulatedReply;

/** Turns a thrown refusal into a reply. */
export const withRefusal =
  (handle: Handle, refuse: (request: EmulatedRequest, refusal: Refusal) => EmulatedReply): Handle =>
  (request) => {
    try {
      return handle(request);
    } catch (error) {
      if (error instanceof Refusal) return refuse(request, error);
      throw error;
    }
  };

/** How a token endpoint refuses, in the provider's form if it has one. */
export const tokenRefusal =
  (emulator: Emulator) =>
  (request: EmulatedRequest, { error, message }: Refusal): EmulatedReply => {
    const status = error === "invalid_client" ? 401 : 400;
    const standard = () => reply(status, { error, error_description: message }, { "cache-control": "no-store" });
    return emulator.tokenFailure?.(error, message, request) ?? standard();
  };

/** Every client is accepted, unless its secret contains "wrong": that lets clients test a refusal. */
export const isWrongSecret = (secret: unknown) => String(secret ?? "").includes("wrong");

export function bodyType({ headers, body }: EmulatedRequest): "form" | "json" | undefined {
  if (typeof body !== "object" || body === null) return undefined;
  return headers["content-type"]?.includes("json") ? "json" : "form";
}

/** Client credentials are form-encoded before they go into the header (RFC 6749, 2.3.1). */
export function decodeForm(text: string): string {
  return new URLSearchParams(`value=${text.replaceAll("&", "%26")}`).get("value") ?? "";
}
