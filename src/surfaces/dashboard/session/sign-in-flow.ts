import { randomBytes } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Coordination } from "../../../contracts/coordination.ts";
import type { Signer, SignInSecrets } from "../../../engine/index.ts";
import { createCookie } from "./cookie.ts";

/** How long somebody may take to sign in at the identity provider. */
const FLOW_TTL_MS = 10 * 60_000;
const MAX_NEXT_LENGTH = 1_500;

/** A sign-in that this browser began. */
export interface SignInFlow extends SignInSecrets {
  id: string;
  /** Where to continue afterwards. */
  next: string;
}

interface FlowOptions {
  dashboardUrl: string;
  coordination: Pick<Coordination, "lock">;
  signer: Signer;
}

/**
 * Binds a sign-in at the identity provider to the browser that began it, by a random value in a signed cookie. What is
 * sent to the issuer is derived from that value, and none of it is stored.
 */
export function createSignInFlows({ dashboardUrl, coordination, signer }: FlowOptions) {
  const cookie = createCookie({ dashboardUrl, name: "sign-in", pattern: /^[\w.-]+$/, maxAgeMs: FLOW_TTL_MS });

  const toFlow = (id: string, next: string): SignInFlow => ({
    id,
    next,
    state: signer.signText("state", id),
    nonce: signer.signText("nonce", id),
    verifier: signer.signText("verifier", id),
  });

  return {
    begin(request: FastifyRequest, reply: FastifyReply, wanted: string, fallback: string): SignInFlow {
      const next = wanted.length > MAX_NEXT_LENGTH ? fallback : wanted;
      const id = randomBytes(32).toString("base64url");
      const expires = String(Date.now() + FLOW_TTL_MS);
      const parts = [id, expires, Buffer.from(next).toString("base64url")];
      cookie.set(request, reply, [...parts, signer.signText("sign-in", ...parts)].join("."));
      return toFlow(id, next);
    },

    /** The sign-in that this browser began last. */
    current(request: FastifyRequest): SignInFlow | undefined {
      const [id = "", expires = "", next = "", signature = ""] = cookie.read(request)?.split(".") ?? [];
      if (!signer.verifyText(signature, "sign-in", id, expires, next) || Number(expires) <= Date.now())
        return undefined;
      return toFlow(id, Buffer.from(next, "base64url").toString());
    },

    /** Uses it up, in every process. False if it was used before. */
    async use({ id }: SignInFlow, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
      cookie.clear(request, reply);
      return (await coordination.lock(`sign-in:${signer.signText("used", id)}`, FLOW_TTL_MS)) !== undefined;
    },
  };
}
