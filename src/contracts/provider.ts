import type { CustomFieldType, DescribedField, WrittenField } from "./custom-fields.ts";
import type { Manifest } from "./manifest.ts";
import type { InputOf, Operation, RecordOf } from "./operation.ts";
import type { Answer, Upstream, UpstreamRequest } from "./upstream.ts";

/** Where the next page starts, in the provider's own terms. It travels to the client and back inside a sealed cursor. */
export type PageCursor = string | number | { [name: string]: string | number | string[] };

/** One of the places that a fanned-out list reads in turn, such as a team or a project. */
export interface Place {
  id: string;
}

/** What every function of an implementation knows about the connection and the client's request. */
export interface Context<Input = unknown> {
  input: Input;
  /** Per-account values: a subdomain, a cloud ID, a guild. */
  settings: Readonly<Record<string, string>>;
  /** One of the manifest's addresses as resolved for this connection, without a trailing slash. */
  address(name: string): string;
  /** For calls besides the page itself: name lookups, a list of teams. */
  upstream: Upstream;
  /** Makes the call that writes the record, with what the client adds to its body: `custom` and `provider`. */
  write: Upstream;
  /** The custom fields that are written. `write` sends them, if the source of custom fields has a `write` of its own. */
  written: readonly WrittenField[];
  /** Whether the client adds anything to the body of the write, so that it is made even if nothing else changes. */
  addsToBody: boolean;
  /** JSON Pointers to the custom fields that records have, for requests that have to name them. */
  select: readonly string[];
  /** Waits between two calls. If the client of a read disconnects meanwhile, it throws. */
  sleep(milliseconds: number): Promise<void>;
  /**
   * 64 hexadecimal digits, the same for every request with the same idempotency key: for providers that have a key of
   * their own, or take the ID of what is created.
   */
  writeKey: string;
}

export interface PageContext<Input = unknown, Cursor = PageCursor, ListPlace = Place> extends Context<Input> {
  /** How many items to ask for: at most the operation's `maxPageSize`, and the same throughout one walk. */
  limit: number;
  /** What `next` returned for the previous page; undefined for the first. */
  cursor: Cursor | undefined;
  /** Only set if the operation has `places`. */
  place: ListPlace;
}

/**
 * How a provider serves a list. Written with `list()` from the provider kit, which infers the types from `items` and
 * `next`; methods are declared so that every implementation also fits the defaults, which is how the engine sees it.
 */
export interface ListImplementation<
  Input = unknown,
  ListRecord = unknown,
  Body = unknown,
  Item = unknown,
  Cursor extends PageCursor = PageCursor,
  ListPlace extends Place = Place,
> {
  /** The most items that the provider returns in one response. */
  maxPageSize: number;
  /** The provider ignores a page size: every page has `maxPageSize` items. */
  ignoresPageSize?: boolean;
  /**
   * The filters that `request` passes on to the provider. The engine filters by all others, of full pages. One that only
   * narrows the provider's list is better not named: few records may be left of a page.
   */
  filters?: readonly string[];
  /** The places to read one after the other. The cursor remembers which one is being read. */
  places?(context: Context<Input>): Promise<ListPlace[]>;
  /** The items of a response, in order. */
  items(body: Body, context: PageContext<Input, Cursor, ListPlace>): Item[];
  /** Whether an item is a record of this list. Pages are large then: few of their items may be left. */
  keep?(item: Item, context: PageContext<Input, Cursor, ListPlace>): boolean;
  /** Where the next page starts; null or undefined at the end. */
  next(answer: Answer<Body>, context: PageContext<Input, Cursor, ListPlace>): Cursor | null | undefined;
  request(context: PageContext<Input, Cursor, ListPlace>): UpstreamRequest;
  record(item: Item, context: PageContext<Input, Cursor, ListPlace>): ListRecord;
  /** The provider's own item, for custom fields, if `items` returns more than that. */
  original?(item: Item): unknown;
}

/** How a provider serves one record, or writes one: by a single request, or by several calls through `upstream`. */
export interface OneImplementation<Input = unknown, OneRecord = unknown, Body = unknown> {
  /** Fields of the body that this provider requires in addition to the table. The engine refuses a write without them. */
  requires?: readonly string[];
  /** Of an account: whether it is a user, to whom something can be assigned, and not a bot or a company. */
  isUser?(body: Body): boolean;
  /** The only call. Either this or `load`. */
  request?(context: Context<Input>): UpstreamRequest;
  /** Makes the calls itself, and returns what the record is made from. */
  load?(context: Context<Input>): Promise<Body>;
  record(body: Body, context: Context<Input>): OneRecord;
  /** The provider's own item in it, for custom fields, if it is not the body itself. */
  original?(body: Body): unknown;
}

export interface SendImplementation<Input = unknown> {
  /** Calls that are needed first, such as reading the message to reply to, go through `upstream`. */
  request(context: Context<Input>): UpstreamRequest | Promise<UpstreamRequest>;
}

/** Where a file's bytes are. A file name or content type given here replaces that of the provider's response. */
export interface DownloadSource {
  request: UpstreamRequest;
  fileName?: string | null;
  contentType?: string | null;
}

export interface DownloadImplementation<Input = unknown> {
  /** Calls that are needed first, such as reading what kind of file it is, go through `upstream`. */
  source(context: Context<Input>): DownloadSource | Promise<DownloadSource>;
}

/** The file that a client sends. */
export interface IncomingFile {
  contentType: string;
  /** In bytes; undefined if the client does not say. */
  size: number | undefined;
}

/** Where a file's bytes go. */
export interface UploadTarget {
  /** Without a body: the file is the body. */
  request: UpstreamRequest;
  contentType?: string;
  /** What comes before and after the file in the body, for providers that want several parts. */
  before?: string;
  after?: string;
}

export interface UploadImplementation<Input = unknown, FileRecord = unknown, Body = unknown> {
  /** The largest file that the provider takes in this way, in bytes. */
  maxSize?: number;
  /** Calls that are needed first, such as opening an upload, go through `upstream`. */
  target(context: Context<Input>, file: IncomingFile): UploadTarget | Promise<UploadTarget>;
  /** From the provider's answer to the upload. */
  record(body: Body, context: Context<Input>): FileRecord;
  /** As of `OneImplementation`. */
  original?(body: Body): unknown;
}

export type Implementation =
  | ListImplementation
  | OneImplementation
  | SendImplementation
  | DownloadImplementation
  | UploadImplementation;

export type ImplementationOf<O extends Operation> = O["kind"] extends "list"
  ? ListImplementation<InputOf<O>, RecordOf<O>>
  : O["kind"] extends "one" | "create" | "update"
    ? OneImplementation<InputOf<O>, RecordOf<O>>
    : O["kind"] extends "download"
      ? DownloadImplementation<InputOf<O>>
      : O["kind"] extends "upload"
        ? UploadImplementation<InputOf<O>, RecordOf<O>>
        : SendImplementation<InputOf<O>>;

/** A provider's implementation of a category. An operation that is missing is not supported. */
export type CategoryImplementation<Operations extends Record<string, Operation> = Record<string, Operation>> = {
  [name in keyof Operations]?: ImplementationOf<Operations[name]>;
};

/** A list in an item whose entries have names: `/custom_fields/360012` is the entry with this ID, not one by number. */
export interface NamedEntries {
  /** Which member of an entry has its name. */
  key: string;
  /** The value of an entry, which is what is found if the pointer ends there. */
  value(entry: never): unknown;
}

/** The custom fields of a record at a provider. */
export interface CustomFieldSource {
  /** Lists whose entries are found by name, by JSON Pointer. */
  named?: Readonly<Record<string, NamedEntries>>;
  /** Makes what is found readable as its type, where the provider has a format of its own. */
  convert?(value: unknown, type: CustomFieldType): unknown;
  /** The fields that the account has. Without it, those of some of its records are shown. */
  describe?(context: Context): Promise<DescribedField[]>;
  /** A list that asks for a field which does not exist fails: it asks only for those that `describe` returns. */
  asksOnlyForKnown?: true;
  /**
   * What is added to the body of a write, in the provider's own format. Without it, custom fields cannot be written,
   * unless the implementation sends `context.written` itself.
   */
  write?(fields: readonly WrittenField[], context: Context): object;
  /** The implementation sends `context.written` by calls of its own. */
  writesItself?: true;
}

export interface ImplementedCategory {
  category: string;
  operations: Record<string, Implementation>;
  /** The records that have custom fields, such as `contact`. */
  customFields?: Readonly<Record<string, CustomFieldSource>>;
}

export const providerOrigins = ["built_in", "catalogue", "workspace"] as const;
export type ProviderOrigin = (typeof providerOrigins)[number];

/** A provider as the registry lists it. */
export interface Provider {
  manifest: Manifest;
  /** Where it comes from: code, the catalogue, or a document of the workspace. Default: code. */
  origin?: ProviderOrigin;
  /** The JSON document that it was made from, if it was. */
  document?: object;
  categories: ImplementedCategory[];
  /** The fields of its records that ever have a value in the sandbox, by operation. */
  fields?: Readonly<Record<string, readonly string[]>>;
}
