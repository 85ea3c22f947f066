import { isDeepStrictEqual } from "node:util";
import { namesOf } from "./provider.ts";
import type { Connected, Emulated } from "./world.ts";

export interface Answer {
  status: number;
  body: any;
}

/**
 * `right`: as it should be on a good day. `away`: something did not answer, and the client was told so in a way that
 * it can deal with. `invalid`: the connection is said to be beyond repair. Anything else says what is wrong.
 */
export type Verdict = "right" | "away" | "invalid" | { wrong: string };

const wrong = (what: string, { status, body }: Answer): Verdict => ({
  wrong: `${what}: ${status} ${JSON.stringify(body)?.slice(0, 300)}`,
});

/** 408, 429 and what tells of a failure outside: 502, 503, 504. The provider's own 500 has another body than ours. */
const PASSING = [408, 429, 502, 503, 504];

function judgeUnifiedFailure(answer: Answer): Verdict {
  const { status, body } = answer;
  if (PASSING.includes(status)) return "away";
  const [error] = body?.success === false ? body.errors : [];
  // The provider's own answer.
  if (!error) return "away";
  if (error.code !== 7002) return wrong("a good call was refused", answer);
  if (/can no longer be refreshed/.test(error.detail)) return "invalid";
  return /renew|refresh|token/.test(error.detail) ? "away" : wrong("a good connection was refused", answer);
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
  if (PASSING.includes(status)) return "away";
  if (body?.code === "connection_refresh_failed") return "invalid";
  const fromProvider = body?.fault === true || body?.message === "Bad credentials";
  return fromProvider ? "away" : wrong("a good call was refused", answer);
}

/** Of a request to the Platform API, which leans on nothing but the database. */
export function judgePlatform(expected: number, answer: Answer): Verdict {
  if (answer.status === expected) return "right";
  return answer.status === 503 ? "away" : wrong("the Platform API", answer);
}
