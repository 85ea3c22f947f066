import { hash } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Coordination, RateLimit } from "../../contracts/coordination.ts";

/** Keys and passwords that may be tried per minute, each with a call to the provider or more. */
const PER_ADDRESS = { points: 20, seconds: 60 };
const TOGETHER = { points: 100, seconds: 60 };

/** The address that the nearest reverse proxy saw. Somebody who makes it up is still counted with all others. */
const clientAddress = ({ headers, ip }: FastifyRequest): string =>
  String(headers["x-forwarded-for"] ?? "")
    .split(",")
    .at(-1)!
    .trim() || ip;

/**
 * Counts an attempt, such as one to connect with a key or a password. Returns the seconds to wait if there were too many.
 * One address cannot use up what all have together, because it is refused first.
 */
export async function countAttempt(
  coordination: Coordination,
  id: string,
  request: FastifyRequest,
  [perAddress, together]: readonly [RateLimit, RateLimit?] = [PER_ADDRESS, TOGETHER],
): Promise<number | undefined> {
  // Few enough groups that made-up addresses cannot fill the memory.
  const group = hash("sha256", clientAddress(request)).slice(0, 4);
  for (const [key, limit] of [
    [`connect:${id}:${group}`, perAddress],
    [`connect:${id}`, together],
  ] as const) {
    if (!limit) continue;
    const { allowed, resetSeconds } = await coordination.consume(key, limit);
    if (!allowed) return resetSeconds;
  }
  return undefined;
}
