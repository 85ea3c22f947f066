import type { Manifest } from "../../contracts/manifest.ts";
import type { Answer } from "../../contracts/upstream.ts";
import { retryAfter } from "../http/retry.ts";

/** What an answer means by the rules of its provider: the status that counts, and how long it asks to wait. */
export const interpretAnswer = (manifest: Pick<Manifest, "failed" | "retryAfter">, answer: Answer) => ({
  status: manifest.failed?.(answer) ?? answer.status,
  waitSeconds: () => retryAfter(answer) ?? manifest.retryAfter?.(answer),
});
