import type { EmulatedReply, EmulatedRequest, EmulatedRoute } from "../contracts/emulator.ts";
import { refuse, reply } from "./emulator.ts";

interface CollectionOptions<State, Item extends object> {
  /** Where the state has the records that this request may see. */
  items(state: State, request: EmulatedRequest): Item[];
  /** The parameter of a path that names one record. Default: `id`. */
  parameter?: string;
  /** What a path may call a record. Default: its `id`. */
  names?(item: Item): unknown[];
  /** The reply about a record that does not exist. */
  notFound(request: EmulatedRequest): EmulatedReply;
  /** The records of a list in their order, by the filters of the request. Default: all. */
  select?(all: Item[], request: EmulatedRequest, state: State): Item[];
  /** The reply with one page of a list. */
  page?(found: Item[], request: EmulatedRequest, show: (item: Item) => unknown): EmulatedReply;
  /** A record as replies have it. Default: as the state has it now, so that a later change does not reach them. */
  show?(item: Item, request: EmulatedRequest, state: State): unknown;
  /** The reply with one record. Default: the record. */
  one?(shown: unknown, status: number): EmulatedReply;
  /** The record that a request creates; throws a refusal. */
  create?(request: EmulatedRequest, state: State): Item;
  /** The status of a reply to a create. Default: 201. */
  created?: number;
  /** New records come first. */
  newestFirst?: boolean;
  /** The fields that a request changes; throws a refusal. */
  update?(item: Item, request: EmulatedRequest, state: State): Partial<Item>;
}

interface Collection<State, Item> {
  list: EmulatedRoute<State>;
  get: EmulatedRoute<State>;
  create: EmulatedRoute<State>;
  update: EmulatedRoute<State>;
  /** The record that the path names; throws a refusal if there is none. */
  find(request: EmulatedRequest, state: State): Item;
  /** A route that belongs to one record, such as the list of its comments. */
  below(handle: (item: Item, request: EmulatedRequest, state: State) => EmulatedReply): EmulatedRoute<State>;
}

/** The routes of records of one kind in an emulated API. */
export function collection<State, Item extends object>(
  options: CollectionOptions<State, Item>,
): Collection<State, Item> {
  const { items, parameter = "id", names = (item) => [(item as { id?: unknown }).id], notFound } = options;
  const {
    select = (all) => all,
    show = (item) => ({ ...item }),
    one = (shown, status) => reply(status, shown),
  } = options;
  const { created = 201, newestFirst = false } = options;

  const find = (request: EmulatedRequest, state: State): Item => {
    const name = request.params[parameter];
    const found = items(state, request).find((item) => names(item).some((known) => String(known) === name));
    return found ?? refuse(notFound(request));
  };
  const below: Collection<State, Item>["below"] = (handle) => (request, state) =>
    handle(find(request, state), request, state);

  return {
    find,
    below,
    list: (request, state) =>
      options.page!(select(items(state, request), request, state), request, (item) => show(item, request, state)),
    get: below((item, request, state) => one(show(item, request, state), 200)),
    create(request, state) {
      const item = options.create!(request, state);
      const all = items(state, request);
      if (newestFirst) all.unshift(item);
      else all.push(item);
      return one(show(item, request, state), created);
    },
    update: below((item, request, state) =>
      one(show(Object.assign(item, options.update!(item, request, state)), request, state), 200),
    ),
  };
}

/** A whole number that a client may send; refused if it is another value or out of bounds. */
export function wholeNumber(
  sent: unknown,
  { fallback, min = 1, max = Number.MAX_SAFE_INTEGER }: { fallback: number; min?: number; max?: number },
  refusal: () => EmulatedReply,
): number {
  const number = Number(sent ?? fallback);
  return Number.isInteger(number) && number >= min && number <= max ? number : refuse(refusal());
}

/** Refuses a request because of the first field that is not valid. */
export function checkFields(valid: Record<string, boolean>, refusal: (field: string) => EmulatedReply): void {
  for (const [field, isValid] of Object.entries(valid)) if (!isValid) refuse(refusal(field));
}

export const isText = (value: unknown): value is string => typeof value === "string" && value !== "";

type Sent = EmulatedRequest["body"];

/** Those of the named fields that a client sends. */
export const sentFields = <Name extends string>(body: Sent, names: readonly Name[]): Partial<Record<Name, Sent>> =>
  Object.fromEntries(names.flatMap((name) => (body?.[name] === undefined ? [] : [[name, body[name]]]))) as object;

/** Some records of a list, and where the next ones start, if there are more. */
export function cut<Item>(all: readonly Item[], start: number, size: number): { items: Item[]; next?: number } {
  const end = start + size;
  return { items: all.slice(start, end), ...(end < all.length && { next: end }) };
}

/** A cursor whose content is none of the client's business. */
export const makeCursor = (content: unknown): string => Buffer.from(JSON.stringify(content)).toString("base64url");

/** The content of a cursor; undefined if it is no cursor. */
export function readCursor<Content>(cursor: string): Content | undefined {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString());
  } catch {
    return undefined;
  }
}

/** Some records after the one that a cursor names, and a cursor for the next ones, if there are more. */
export function cutAfter<Item extends { id: unknown }>(
  all: readonly Item[],
  cursor: string | null | undefined,
  size: number,
  refusal: () => EmulatedReply,
): { items: Item[]; start: number; next?: string } {
  const start = cursor ? all.findIndex(({ id }) => makeCursor(id) === cursor) + 1 : 0;
  if (cursor && start === 0) refuse(refusal());
  const { items, next } = cut(all, start, size);
  return { items, start, ...(next !== undefined && { next: makeCursor(items.at(-1)!.id) }) };
}

/** The address of this request with other parameters, such as those of the next page. */
export function linkTo({ origin, path, query }: EmulatedRequest, changes: Record<string, string | number>): string {
  const changed = new URLSearchParams(query);
  for (const [name, value] of Object.entries(changes)) changed.set(name, String(value));
  return `${origin}${path}?${changed}`;
}

/** A page by its number, at servers that take the default for a number that is none, and cut a size that is too large. */
export function numberedPage<Item>(
  { query }: EmulatedRequest,
  all: readonly Item[],
  { parameter = "per_page", fallback, max }: { parameter?: string; fallback: number; max: number },
) {
  const positive = (name: string, otherwise: number) => Math.max(Number(query.get(name)) || otherwise, 1);
  const size = Math.min(positive(parameter, fallback), max);
  const page = positive("page", 1);
  const last = Math.max(1, Math.ceil(all.length / size));
  return { items: all.slice((page - 1) * size, page * size), size, page, last };
}

/** The Link header of a page by its number. */
export function linkHeader(
  request: EmulatedRequest,
  page: number,
  last: number,
  separator = ", ",
): Record<string, string> {
  const before = { prev: page - 1, first: 1 };
  const after = { next: page + 1, last };
  const links = Object.entries({ ...(page > 1 && before), ...(page < last && after) });
  const link = links.map(([rel, number]) => `<${linkTo(request, { page: number })}>; rel="${rel}"`).join(separator);
  return link === "" ? {} : { link };
}
