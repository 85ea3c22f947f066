import type { Integration } from "../../contracts/entities.ts";
import { invalidInput } from "../../contracts/fault.ts";
import { addressTemplate, type Manifest, requestAddresses } from "../../contracts/manifest.ts";
import { type ConfinedPath, confine } from "../http/confined-path.ts";
import { fill, hasSettings, SANDBOX } from "./address.ts";

/** One of the manifest's addresses, and what to append to it. */
export interface RequestTarget {
  to: string;
  path: ConfinedPath;
  /** What precedes `path` in the client's path. */
  prefix: string;
}

export type TargetFinder = (path: ConfinedPath) => RequestTarget;

interface Prefix {
  to: string;
  path: string;
}

/** `/@name`, the way to choose an address in a base URL: official clients have no other place for it. */
const NAMED = /^\/@([a-z]\w*)(?=\/|$)/;

/** What follows `prefix`, which only matches whole segments; undefined if the path does not begin with it. */
function after(prefix: string, path: string): string | undefined {
  if (!path.startsWith(prefix)) return undefined;
  const rest = path.slice(prefix.length);
  return rest === "" || rest.startsWith("/") ? rest : undefined;
}

const splitTemplate = (template: string) => {
  const [origin = ""] = template.match(/^https?:\/\/[^/]+/) ?? [];
  return { origin, path: template.slice(origin.length).replace(/\/+$/, "") };
};

/**
 * Decides where a client's own request leads. Providers' own clients send the path of an address themselves
 * (`/api/v4/projects`), so a path that begins with it is not prefixed again. Nor is a path that begins with that of
 * another address on the API's host, such as `/upload/drive/v3`: that is where it goes. The prefix is removed once, so a
 * path that really repeats it can be written in full.
 */
export function createTargetFinder(
  manifest: Manifest,
  { type, base_url }: Pick<Integration, "type" | "base_url">,
  settings: Record<string, string>,
): TargetFinder {
  const names = requestAddresses(manifest);
  const selfHosted = base_url !== null && base_url !== SANDBOX;

  /**
   * The paths with which a client that knows an address may begin. What precedes a setting, such as `/ex/jira/{cloud_id}`,
   * identifies the account as a host does: a client that is given a host adds what follows it.
   */
  function ownPaths(to: string): Prefix[] {
    const { path } = splitTemplate(addressTemplate(manifest, to, type)!);
    const template = (selfHosted ? manifest.selfHosted?.[to] : undefined) ?? path;
    const afterSettings = template.slice(template.lastIndexOf("}") + 1);
    return [...new Set([template, afterSettings])]
      .filter((one) => one.startsWith("/") && hasSettings(one, settings))
      .map((one) => ({ to, path: fill(one, settings) }));
  }

  const longestFirst = (prefixes: Prefix[]) => prefixes.sort((a, b) => b.path.length - a.path.length);
  const originOf = (to: string) => splitTemplate(addressTemplate(manifest, to, type)!).origin;
  const byPath = longestFirst(names.filter((name) => originOf(name) === originOf("api")).flatMap(ownPaths));

  return (path) => {
    const [segment = "", name] = NAMED.exec(path) ?? [];
    if (name !== undefined && !names.includes(name))
      throw invalidInput({
        path: ["path"],
        message: `must not begin with ${segment}: the provider's addresses are ${names.map((one) => `@${one}`).join(", ")}`,
      });
    const unnamed = path.slice(segment.length);
    for (const prefix of name === undefined ? byPath : longestFirst(ownPaths(name))) {
      const rest = after(prefix.path, unnamed);
      if (rest !== undefined) return { to: prefix.to, path: confine(rest), prefix: segment + prefix.path };
    }
    return { to: name ?? "api", path: confine(unnamed), prefix: segment };
  };
}
