// The core of the contract suite: checks exchanges with the emulated providers against the providers' own descriptions.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { load as parseYaml } from "js-yaml";
import type { Description, Evidence } from "../../../src/contracts/evidence.ts";
import type { Provider } from "../../../src/contracts/provider.ts";
import type { Exchange } from "../../../src/sandbox/index.ts";
import { createDiscoveryChecker } from "./discovery.ts";
import { createGraphqlChecker } from "./graphql.ts";
import { createOpenApiChecker } from "./openapi.ts";
import type { Schema } from "./schema.ts";
import { createStoneChecker } from "./stone.ts";

/** An exchange with its path relative to the provider's address. */
export interface ObservedExchange {
  path: string;
  request: Exchange["request"] & { body: any };
  reply: Exchange["reply"] & { body: any };
}

/** A parameter that the conformance suite sends to see that `params` arrive. No description knows it. */
export const PROBE = "conformance_probe";

export const specsFolder = (): string | undefined => process.env.CONTRACT_SPECS || undefined;

/** The descriptions that a provider can be checked against here. Files that are fetched by hand are optional. */
export const availableDescriptions = (evidence: Evidence | undefined, folder: string | undefined): Description[] =>
  (evidence?.descriptions ?? []).filter(
    ({ byHand, file }) => !byHand || (folder !== undefined && existsSync(join(folder, file))),
  );

/** What is wrong with an exchange; undefined if the description does not have its path and method. */
type Checker = (exchange: ObservedExchange) => string[] | undefined;

function read(folder: string, name: string): string {
  const file = join(folder, name);
  if (!existsSync(file)) throw new Error(`CONTRACT_SPECS has no ${name}`);
  return readFileSync(file, "utf8");
}

function load(folder: string, description: Description, granted?: readonly string[]): Checker {
  const { file, parts = [], format } = description;
  if (format === "graphql") return createGraphqlChecker(read(folder, file));
  if (format === "stone") return createStoneChecker([file, ...parts].map((name) => read(folder, name)));
  const documents = [file, ...parts].map((name) =>
    name.endsWith(".json")
      ? JSON.parse(read(folder, name))
      : (parseYaml(read(folder, name), { filename: name }) as Schema),
  );
  const document = documents.length > 1 ? joinParts(documents) : documents[0];
  return format === "discovery"
    ? createDiscoveryChecker(document)
    : createOpenApiChecker(document, description, granted);
}

/** Joins the parts of a document. A part may consist of paths alone, without the key `paths`. */
function joinParts(parts: Schema[]): Schema {
  const document: Schema = { paths: {} };
  for (const [name, value] of parts.flatMap((part) => Object.entries(part)))
    if (name.startsWith("/")) document.paths[name] = value;
    else document[name] = isObject(value) ? { ...document[name], ...value } : value;
  return document;
}

function describedPath(path: string, { prefix = {}, standIns = {} }: Description): string {
  const own = prefix.ours && path.startsWith(prefix.ours) ? path.slice(prefix.ours.length) : path;
  const whole = (prefix.described ?? "") + own;
  return standIns[whole] ?? whole;
}

const isObject = (value: unknown) => typeof value === "object" && value !== null && !Array.isArray(value);

const matcher = (pattern: string) =>
  new RegExp(
    pattern
      .split("*")
      .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*"),
  );

export interface ContractResult {
  /** Violations that no deviation explains. */
  violations: string[];
  /** Deviations that match no violation. */
  stale: string[];
  checked: number;
}

/** A path relative to one of the provider's addresses; undefined if it is elsewhere. */
function relativeTo({ manifest }: Provider, address = "api"): (path: string) => string | undefined {
  // Settings in a path (`/ex/jira/{cloud_id}/…`) match any one segment.
  const { pathname } = new URL(manifest.addresses[address]!.replace(/\{(\w+)\}/g, "placeholder-$1"));
  const base = new RegExp(`^${pathname.replace(/\/+$/, "").replace(/placeholder-\w+/g, "[^/]+")}(?=/|$)`);
  return (path) => (base.test(path) ? path.replace(base, "") || "/" : undefined);
}

/** The exchange without the parameter that only the conformance suite sends. */
function withoutProbe({ request, reply }: Exchange, path: string): ObservedExchange {
  const query = new URLSearchParams(request.query);
  query.delete(PROBE);
  const { body } = request;
  const cleanBody = body && typeof body === "object" && PROBE in body ? { ...body, [PROBE]: undefined } : body;
  return { path, request: { ...request, query, body: cleanBody && JSON.parse(JSON.stringify(cleanBody)) }, reply };
}

/** Checks every exchange of a provider against the first of its descriptions that has its path; `granted` as above. */
export function checkExchanges(
  provider: Provider,
  descriptions: Description[],
  exchanges: Exchange[],
  folder: string,
  granted?: readonly string[],
): ContractResult {
  const result: ContractResult = { violations: [], stale: [], checked: 0 };
  const loaded = descriptions.map((description) => ({
    description,
    check: load(folder, description, granted),
    relative: relativeTo(provider, description.address),
    found: new Set<string>(),
  }));
  for (const exchange of exchanges) {
    const { path, method } = exchange.request;
    const near = loaded.filter(({ relative }) => relative(path) !== undefined);
    if (near.length === 0 || isOAuth(provider, path)) continue;
    result.checked++;
    const checked = near.map(({ description, check, relative, found }) => {
      const observed = withoutProbe(exchange, describedPath(relative(path)!, description));
      return { found, observed, problems: check(observed) };
    });
    const { found, observed, problems } = checked.find((one) => one.problems) ?? checked[0]!;
    for (const violation of problems ?? [`${method} ${observed.path} is not described`]) found.add(violation);
  }
  for (const { description, found } of loaded) {
    const deviations = (description.deviations ?? []).map((deviation) => ({
      deviation,
      pattern: matcher(deviation.violation),
      used: false,
    }));
    for (const violation of found) {
      const known = deviations.find(({ pattern }) => pattern.test(violation));
      if (known) known.used = true;
      else result.violations.push(violation);
    }
    for (const { deviation, used } of deviations) if (!used) result.stale.push(deviation.violation);
  }
  return result;
}

/** OAuth pages and token endpoints follow their own standards; few descriptions include them. */
function isOAuth({ manifest }: Provider, path: string): boolean {
  const { oauth2 } = manifest.auth;
  if (!oauth2) return false;
  const names = [oauth2.authorize, oauth2.token, ...(typeof oauth2.revoke === "object" ? [oauth2.revoke.address] : [])];
  return names.some((name) => {
    const address = manifest.addresses[name];
    return address !== undefined && new URL(address.replace(/\{(\w+)\}/g, "x")).pathname === path;
  });
}
