import type { Manifest } from "./manifest.ts";
import type { InputOf, Operation, RecordOf } from "./operation.ts";
import type { Answer, Upstream, UpstreamRequest } from "./upstream.ts";

/** Where the next page starts, in the provider's own words. It travels to the client and back inside a sealed cursor. */
export type PageCursor = string | number | { [name: string]: string | number | string[] };

/** One of the places that a fanned-out list reads in turn, such as a team. */
export interface Scope {
  id: string;
  [name: string]: unknown;
}

/** What every function of an implementation can see of the connection and of the client's request. */
export interface Context<Input = any> {
  input: Input;
  /** Per-account values: a subdomain, a cloud id, a guild. */
  settings: Readonly<Record<string, string>>;
  /** One of the manifest's addresses as it stands for this connection, with no slash at its end. */
  address(name: string): string;
  /** For calls beside the page itself: name look-ups, a list of teams. */
  upstream: Upstream;
}

export interface PageContext<Input = any> extends Context<Input> {
  /** How many items to ask for: at most the operation's `page`, and the same all along one walk. */
  limit: number;
  /** What `next` returned for the page before; undefined for the first. */
  cursor: any;
  /** Set where the operation names `scopes`. */
  scope: any;
}

export interface RecordContext<Input = any> extends PageContext<Input> {
  /** What `join` returned for this page. */
  joined: any;
}

export interface ListImplementation<Input = any, Record = any> {
  /** The most items that the provider gives in one answer. */
  page: number;
  /** The provider ignores a page size: every page has `page` items. */
  fixed?: boolean;
  /** `items` leaves some of the answer out, so full pages are asked for whatever the client's limit is. */
  sparse?: boolean;
  /** The places to read one after the other. The cursor remembers where in the row it stands. */
  scopes?(context: Context<Input>): Promise<Scope[]>;
  request(page: PageContext<Input>): UpstreamRequest;
  /** The items of an answer, in order. Items that are not records of ours are left out here. */
  items(body: any, page: PageContext<Input>): any[];
  /** Where the next page starts; null or undefined at the end. `items` are those of this answer, before any were left out of it where the provider counts those too. */
  next(answer: Answer, page: PageContext<Input>): PageCursor | null | undefined;
  /** One further call for a whole page, such as the names behind its ids. */
  join?(items: any[], page: PageContext<Input>): Promise<unknown>;
  record(item: any, context: RecordContext<Input>): Record;
}

export interface SingleImplementation<Input = any, Record = any> {
  request(context: Context<Input>): UpstreamRequest;
  record(body: any, context: Context<Input>): Record;
}

export interface SendImplementation<Input = any> {
  request(context: Context<Input>): UpstreamRequest;
}

export type ImplementationOf<O extends Operation> = O["kind"] extends "list"
  ? ListImplementation<InputOf<O>, RecordOf<O>>
  : O["kind"] extends "one"
    ? SingleImplementation<InputOf<O>, RecordOf<O>>
    : SendImplementation<InputOf<O>>;

/** What a provider does of a category. An operation that is not named is not supported. */
export type CategoryImplementation<Operations extends Record<string, Operation> = Record<string, Operation>> = {
  [name in keyof Operations]?: ImplementationOf<Operations[name]>;
};

export interface Implemented {
  category: string;
  operations: Record<string, ListImplementation | SingleImplementation | SendImplementation>;
}

/** A provider as the registry holds it. */
export interface Provider {
  manifest: Manifest;
  categories: Implemented[];
}
