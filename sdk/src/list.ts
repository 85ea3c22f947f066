export interface Page<T> {
  data: T[];
  /** Pass it as `after`, or as `before` if you read backwards, to get the next page; null if this is the last one. */
  next: string | null;
  /** The provider's own response, if `include_raw` was set. */
  raw?: unknown;
}

/** A list call: `await` gives its first page, `for await` goes through everything. */
export class List<T> extends Promise<Page<T>> implements AsyncIterable<T> {
  readonly #load: (after: string) => Promise<Page<T>>;
  readonly #grows: boolean;

  /** A list that grows has a `next` on every page, and ends for now with one that is empty. */
  constructor(load: (after?: string) => Promise<Page<T>>, grows = false) {
    super((resolve, reject) => load().then(resolve, reject));
    this.#load = load;
    this.#grows = grows;
  }

  /** What `then` returns is not a list. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** Page by page. Pages are loaded as they are needed. */
  async *pages(): AsyncGenerator<Page<T>, void, undefined> {
    for (let page: Page<T> = await this; ; page = await this.#load(page.next)) {
      yield page;
      if (page.next === null || (this.#grows && page.data.length === 0)) return;
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
