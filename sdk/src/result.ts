import type { Page, ResponseInfo } from "./types.ts";

export interface Answer<T> {
  data: T;
  response: ResponseInfo;
}

/** A call: `await` gives its result, and `withResponse` the result and the response's headers. */
export class Result<T> extends Promise<T> {
  readonly #answer: Promise<Answer<T>>;

  constructor(answer: Promise<Answer<T>>) {
    super((resolve, reject) => answer.then(({ data }) => resolve(data), reject));
    this.#answer = answer;
  }

  /** What `then` returns is not a call. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  withResponse(): Promise<Answer<T>> {
    // Who waits for this gets its error, and need not wait for the result as well.
    this.catch(() => {});
    return this.#answer;
  }
}

export const toPage = <T>(page: Omit<Page<T>, "response">, response: ResponseInfo): Page<T> =>
  Object.defineProperty(page as Page<T>, "response", { value: response });
