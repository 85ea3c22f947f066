import { roles } from "../contracts/access.ts";
import { isLoopback } from "../contracts/network.ts";
import type { OidcSettings, RoleGrant } from "../contracts/people.ts";
import { address, matching, oneOf, variable } from "./define.ts";
import type { Environment } from "./environment.ts";

const listOf = <Item>(text: string, read: (item: string) => Item | undefined): Item[] | undefined => {
  const items = text.split(",").map((item) => read(item.trim()));
  return items.includes(undefined) ? undefined : (items as Item[]);
};

function issuer(text: string): string | undefined {
  if (!address("http:", "https:")(text)) return undefined;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  if (username || password || search || hash) return undefined;
  return protocol === "https:" || isLoopback(hostname) ? text : undefined;
}

const DOMAIN = /^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$/;

/** `group=role@workspace`. A group's name may contain `=` and `@` itself. */
function roleGrant(text: string): RoleGrant | undefined {
  const [, group, name, workspace] = /^(.+)=([^=@]+)@(.+)$/.exec(text) ?? [];
  const role = roles.find((one) => one === name?.trim());
  return group && role && workspace ? { group: group.trim(), role, workspace: workspace.trim() } : undefined;
}

/** How people sign in to the dashboard, in the order of the documentation. */
export const oidcVariables = {
  DASHBOARD_SIGN_IN: variable("all", "all or oidc", oneOf("all", "oidc")),
  OIDC_ISSUER: variable(
    "",
    "an https address such as https://login.example.com, or an http one on this machine",
    issuer,
  ),
  OIDC_CLIENT_ID: variable("", "the client ID that the identity provider issued", (text) => text),
  OIDC_CLIENT_SECRET: variable("", "the client secret that the identity provider issued", (text) => text, {
    secret: true,
  }),
  OIDC_ALLOWED_DOMAINS: variable("", "domains of email addresses separated by commas, such as example.com", (text) =>
    listOf(text.toLowerCase(), matching(DOMAIN)),
  ),
  OIDC_GROUPS_CLAIM: variable("groups", "the name of a claim", (text) => text),
  OIDC_ROLES: variable(
    "",
    `group=role@workspace, or several separated by commas; a role is ${roles.join(", ")}, and * is any group or workspace`,
    (text) => listOf(text, roleGrant),
  ),
};

type Variables = typeof oidcVariables;
type OidcValues = { [name in keyof Variables]?: ReturnType<Variables[name]["read"]> };

const REQUIRED = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET", "OIDC_ROLES"] as const;

/** Undefined if it is not configured. Half of a configuration is a problem. */
export function readOidc(env: Environment, values: OidcValues, problems: string[]): OidcSettings | undefined {
  const given = (Object.keys(oidcVariables) as (keyof Variables)[]).filter((name) => env[name]?.trim());
  // An invalid value is reported already.
  if (given.some((name) => values[name] === undefined)) return undefined;
  const cause = given.find((name) => name !== "DASHBOARD_SIGN_IN" || values[name] === "oidc");
  if (!cause) return undefined;
  const missing = REQUIRED.filter((name) => values[name] === undefined);
  problems.push(...missing.map((name) => `${name}: required with ${cause}; must be ${oidcVariables[name].expected}`));
  if (missing.length > 0) return undefined;
  return {
    issuer: values.OIDC_ISSUER!,
    clientId: values.OIDC_CLIENT_ID!,
    clientSecret: values.OIDC_CLIENT_SECRET!,
    allowedDomains: values.OIDC_ALLOWED_DOMAINS,
    groupsClaim: values.OIDC_GROUPS_CLAIM!,
    roles: values.OIDC_ROLES!,
  };
}
