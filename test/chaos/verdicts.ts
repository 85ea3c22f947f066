import { isDeepStrictEqual } from "node:util";
import { namesOf } from "./provider.ts";
import type { Connected, Emulated } from "./world.ts";

export interface Answer {
  status: number;
  body: any;
}

/**
 * `right`: the expected answer. `unavailable`: something failed, and the client got an error that it can handle.
 * `invalid`: the connection is reported to be permanently invalid. Anything else says what is wrong.
 */
export type Verdict = "right" | "unavailable" | "invalid" | { wrong: string };

const wrong = (what: string, { status, body }: Answer): Verdict => ({
  wrong: `${what}: ${status} ${JSON.stringify(body)?.slice(0, 300)}`,
});

/** Statuses of temporary failures. A provider's own 500 is told from ours by its body. */
const TEMPORARY = [408, 429, 502, 503, 504];

function judgeUnifiedFailure(answer: Answer): Verdict {
  const { status, body } = answer;
  if (TEMPORARY.includes(status)) return "unavailable";
  const [error] = body?.success === false ? body.errors : [];
  // The provider's own error.
  if (!error) return "unavailable";
  if (error.code !== 7002) return wrong("a valid call was refused", answer);
  if (/is no longer valid/.test(error.detail)) return "invalid";
  return /refresh|token/.test(error.detail) ? "unavailable" : wrong("a valid connection was refused", answer);
}

export function judgeList({ account }: Pick<Connected, "account">, answer: Answer): Verdict {
  if (answer.status !== 200) return judgeUnifiedFailure(answer);
  const names = answer.body?.response?.data?.map(({ full_name }: { full_name: string }) => full_name);
  return isDeepStrictEqual(names, namesOf(account)) ? "right" : wrong(`not the data of ${account}`, answer);
}

export function judgeEmulated({ path, expected }: Emulated, answer: Answer): Verdict {
  if (answer.status !== 200) return judgeUnifiedFailure(answer);
  const ids = answer.body?.response?.data?.map(({ id }: { id: string }) => id);
  return isDeepStrictEqual(ids, expected) ? "right" : wrong(`not the data of ${path}`, answer);
}

export function judgeProxy({ account }: Pick<Connected, "account">, answer: Answer): Verdict {
  const { status, body } = answer;
  if (status === 200 || status === 201)
    return body?.account === account ? "right" : wrong(`not the data of ${account}`, answer);
  if (TEMPORARY.includes(status)) return "unavailable";
  if (body?.code === "connection_refresh_failed") return "invalid";
  const fromProvider = body?.fault === true || body?.message === "Bad credentials";
  return fromProvider ? "unavailable" : wrong("a valid call was refused", answer);
}

/** For the Platform API, which depends only on the database. */
export function judgePlatform(expected: number, answer: Answer): Verdict {
  if (answer.status === expected) return "right";
  return answer.status === 503 ? "unavailable" : wrong("the Platform API", answer);
}
