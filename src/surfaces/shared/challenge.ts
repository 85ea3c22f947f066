import type { Fault } from "../../contracts/fault.ts";
import type { SurfaceReply } from "./surface-types.ts";

/** Says what a key would have to be: https://www.rfc-editor.org/rfc/rfc6750#section-3 */
export function setChallenge(
  reply: Pick<SurfaceReply, "header" | "getHeaders">,
  status: number,
  { kind, scope }: Fault,
): void {
  // A surface at which people can sign in has said how.
  if (status === 401 && !reply.getHeaders()["www-authenticate"]) reply.header("www-authenticate", "Bearer");
  if (kind !== "insufficient_scope") return;
  const needed = scope ? `, scope="${scope}"` : "";
  reply.header("www-authenticate", `Bearer error="insufficient_scope"${needed}`);
}

/** The message of an error, with the scope that the key lacks. */
export const withScope = (message: string, fault: Fault): string =>
  fault.kind === "insufficient_scope" ? `${message}: ${fault.message}` : message;
