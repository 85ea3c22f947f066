import type { Variable } from "../../config/define.ts";
import { type Environment, resolveEnvironment } from "../../config/environment.ts";
import { variables } from "../../config/variables.ts";
import { hideSecrets } from "../../engine/index.ts";

/** Parts of a setting that must not be shown. An address is shown without its password. */
const SECRET_PARTS = [/:\/\/[^:@/]*:([^@/]+)@/g, /[?&][^=&]*passw[^=&]*=([^&#]+)/gi];

function secretParts(name: string, value: string): string[] {
  if (value.includes("://")) {
    const found = SECRET_PARTS.flatMap((pattern) => [...value.matchAll(pattern)].map(([, part]) => part!));
    return found.flatMap((part) => [part, decoded(part)]);
  }
  return name.endsWith("_HEADERS")
    ? value.split(",").map((pair) => decoded(pair.split("=", 2)[1] ?? ""))
    : value.split(",");
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Hides the environment's secrets in a text, should one have got into it. */
export function createHiding(env: Environment): (text: string) => string {
  const resolved = resolveEnvironment(env, variables, []);
  const secrets = Object.entries<Variable<unknown>>(variables).flatMap(([name, { secret }]) =>
    secret && resolved[name] ? secretParts(name, resolved[name].trim()) : [],
  );
  return (text) =>
    hideSecrets(
      text,
      secrets.filter((secret) => secret.trim() !== ""),
    );
}
