import { pause } from "./retry.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 1_000;

/** Tries a write again for a while: what a provider has handed out cannot be had a second time. */
export async function persist<Result>(
  write: () => Promise<Result>,
  patienceMs: number,
  mayPass: (error: unknown) => boolean = () => true,
): Promise<Result> {
  const deadline = Date.now() + patienceMs;
  for (let wait = FIRST_PAUSE_MS; ; wait = Math.min(wait * 2, LONGEST_PAUSE_MS)) {
    try {
      return await write();
    } catch (error) {
      if (!mayPass(error) || Date.now() + wait > deadline) throw error;
      await pause(wait);
    }
  }
}
