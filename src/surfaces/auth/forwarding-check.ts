import { randomUUID } from "node:crypto";
import type { FastifyInstance } from "fastify";
import { Fault } from "../../contracts/fault.ts";
import type { Signer } from "../../engine/index.ts";

const PATH = "/forwarding-check";

/** How a request arrived, after the reverse proxies that it went through. */
export interface ForwardedRequest {
  host: string | null;
  forwarded_for: string | null;
}

/** The path and query with which `plugboard doctor` asks. */
export function forwardingQuestion(signer: Signer): string {
  const nonce = randomUUID();
  return `${PATH}?nonce=${nonce}&signature=${signer.signText("forwarding", nonce)}`;
}

/** Answers only those who have the encryption key, because headers of proxies name machines of the internal network. */
export function forwardingCheckRoute(app: FastifyInstance, { signer }: { signer: Signer }): void {
  app.get(PATH, async ({ query, headers }): Promise<ForwardedRequest> => {
    const { nonce, signature } = query as Record<string, unknown>;
    const isGenuine =
      typeof nonce === "string" && typeof signature === "string" && signer.verifyText(signature, "forwarding", nonce);
    if (!isGenuine) throw new Fault("not_found", "no such page");
    return { host: headers.host ?? null, forwarded_for: headers["x-forwarded-for"]?.toString() ?? null };
  });
}
