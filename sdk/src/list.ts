import type { Answer } from "./result.ts";
import type { Page } from "./types.ts";

export interface Walk<T> {
  load(after?: string): Promise<Page<T>>;
  /** A list that grows has a `next` on every page, and ends for now with one that is empty. */
  grows?: boolean;
  /** Instead of loading page by page. Nothing is loaded before somebody asks for it. */
  stream?(): AsyncGenerator<Page<T>, void, undefined>;
}

/** A list call: `await` gives its first page, `for await` goes through everything. */
export class List<T> extends Promise<Page<T>> implements AsyncIterable<T> {
  readonly #walk: Walk<T>;
  #start: (() => void) | undefined;

  constructor(walk: Walk<T>) {
    let start!: () => void;
    super((resolve, reject) => {
      start = () => void walk.load().then(resolve, reject);
    });
    this.#walk = walk;
    if (walk.stream) this.#start = start;
    else start();
  }

  /** What `then` returns is not a list. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  // biome-ignore lint/suspicious/noThenProperty: a list that is streamed loads its first page only for who awaits it.
  override then<A = Page<T>, B = never>(
    onFulfilled?: ((page: Page<T>) => A | PromiseLike<A>) | null,
    onRejected?: ((reason: unknown) => B | PromiseLike<B>) | null,
  ): Promise<A | B> {
    this.#start?.();
    this.#start = undefined;
    return super.then(onFulfilled, onRejected);
  }

  /** The first page, and its response's headers. Every page has them as `response`. */
  async withResponse(): Promise<Answer<Page<T>>> {
    const data = await this;
    return { data, response: data.response };
  }

  /** Page by page. Pages are loaded as they are needed. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    const { load, stream, grows } = this.#walk;
    if (stream) return yield* stream();
    for (let page: Page<T> = await this; ; page = await load(page.next)) {
      yield page;
      if (page.next === null || (grows && page.data.length === 0)) return;
    }
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    for await (const page of this.pages()) yield* page.data;
  }

  /** Everything, or the first `max` records. */
  async toArray(max: number = Number.POSITIVE_INFINITY): Promise<T[]> {
    const records: T[] = [];
    for await (const page of this.pages()) {
      records.push(...page.data);
      if (records.length >= max) break;
    }
    return records.slice(0, max);
  }
}
