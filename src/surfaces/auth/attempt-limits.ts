import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Coordination } from "../../contracts/coordination.ts";
import type { Integration } from "../../contracts/entities.ts";

/** Keys and passwords that may be tried per minute, each with a call to the provider or more. */
const PER_ADDRESS = { points: 20, seconds: 60 };
const PER_INTEGRATION = { points: 100, seconds: 60 };

/** The address that the nearest reverse proxy saw. Somebody who makes it up is still counted for the integration. */
const clientAddress = ({ headers, ip }: FastifyRequest): string =>
  String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .at(-1)!
    .trim() || ip;

/**
 * Counts an attempt to connect with a key or a password. Returns the seconds to wait if there were too many. One address
 * cannot use up what the integration's other users have, because it is refused first.
 */
export async function countAttempt(
  coordination: Coordination,
  { id }: Integration,
  request: FastifyRequest,
): Promise<number | undefined> {
  // Few enough groups that made-up addresses cannot fill the memory.
  const group = hash("sha256", clientAddress(request)).slice(0, 4);
  for (const [key, limit] of [
    [`connect:${id}:${group}`, PER_ADDRESS],
    [`connect:${id}`, PER_INTEGRATION],
  ] as const) {
    const { allowed, resetSeconds } = await coordination.consume(key, limit);
    if (!allowed) return resetSeconds;
  }
  return undefined;
}
