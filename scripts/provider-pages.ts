// The pages of docs/providers: what has to be set up for each provider, and what it offers. Made from the manifests.
import { categories } from "../src/categories/index.ts";
import type { AuthType, IssuedType, OAuth2 } from "../src/contracts/authentication.ts";
import {
  addressTemplate,
  authTypes,
  baseUrl,
  hooksOf,
  type Manifest,
  mcpAuthTypes,
  ownBaseUrl,
  requestAddresses,
} from "../src/contracts/manifest.ts";
import type { Provider } from "../src/contracts/provider.ts";
import { integrationSettings } from "../src/engine/index.ts";
import { fieldsOf } from "../src/surfaces/platform/integration-checks.ts";
import { cell, code, table, templatePath } from "./markdown.ts";

const NOTICE = "<!-- Written by `npm run gen` from the provider's manifest. Do not edit. -->";

const numbered = (steps: string[]) => steps.map((step, index) => `${index + 1}. ${step}`).join("\n");
const bullets = (lines: string[]) => lines.map((line) => `- ${line}`).join("\n");

const UNITS: [seconds: number, name: string][] = [
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];

/** 3599 s are an hour: some providers subtract a second. */
function duration(seconds: number): string {
  for (const [size, name] of UNITS) {
    const count = Math.round(seconds / size);
    if (count >= 1 && Math.abs(seconds - count * size) <= 1) return `${count} ${name}${count === 1 ? "" : "s"}`;
  }
  return `${seconds} seconds`;
}

function tokenFacts({ lifetime, rotates, revoke }: OAuth2): string {
  return [
    lifetime === undefined
      ? "Tokens do not expire, unless the token response says so."
      : `If the token response has a refresh token, the access token is refreshed before it expires: after ${duration(lifetime)}, unless the response says otherwise.`,
    ...(rotates ? ["Each refresh replaces the refresh token, too."] : []),
    revoke
      ? "Deleting a connection revokes its token."
      : "Deleting a connection does not revoke its token: the provider has no endpoint for that.",
  ].join(" ");
}

function integration(manifest: Manifest, type: AuthType): string {
  const { id, selfHostedOnly, mcpOnly } = manifest;
  const own = integrationSettings(manifest, type).map(([name]) => [name, "…"]);
  const body = {
    identifier: id,
    type,
    ...Object.fromEntries(fieldsOf(manifest, type).needs.map((name) => [name, "…"])),
    ...(own.length > 0 ? { settings: Object.fromEntries(own) } : {}),
    ...(selfHostedOnly ? { base_url: "https://…" } : {}),
    ...(mcpOnly ? { mcp_url: "https://…" } : {}),
  };
  const json = JSON.stringify(body).replaceAll('":', '": ').replaceAll(',"', ', "');
  return `The integration: ${code(`POST /platform/v1/integrations ${json}`)}.`;
}

function oauth2(manifest: Manifest): string {
  const oauth = manifest.auth.oauth2!;
  if (oauth.discovered) return discovered(manifest);
  const { app, scopes, scopeParameter } = oauth;
  const requested =
    scopes.length > 0
      ? `Scopes requested by default: ${scopes.map(code).join(", ")}. Others: ${code("scopes")} of the integration.`
      : "No scopes are requested by default.";
  return [
    "## OAuth (`oauth2`)",
    "The redirect URL to register is `{AUTH_URL}/callback`, the same for every provider: `http://127.0.0.1:8080/auth/callback`, unless `AUTH_URL` is set.",
    ...(app ? [`Create an OAuth application: <${app.url}>`, numbered(app.steps)] : []),
    integration(manifest, "oauth2"),
    requested + (scopeParameter ? ` They are sent as ${code(scopeParameter)}.` : ""),
    tokenFacts(oauth),
  ].join("\n\n");
}

function discovered(manifest: Manifest): string {
  return [
    "## OAuth (`oauth2`)",
    "The sign-in is the server's own, as its metadata describes it when somebody connects. Scopes are the integration's `scopes`; without them, those that the server asks for.",
    `${integration(manifest, "oauth2")} With ${code("client_id")} and, if there is one, ${code("client_secret")}, that client is used. Otherwise Plugboard is known there by its client metadata document (${code("{AUTH_URL}/clients/mcp.json")}, if that is https), or registers itself.`,
    "If it has to be registered by hand, the redirect URL is `{AUTH_URL}/callback`: `http://127.0.0.1:8080/auth/callback`, unless `AUTH_URL` is set.",
    "Tokens are refreshed before they expire. Deleting a connection revokes its token, if the server has an endpoint for that.",
  ].join("\n\n");
}

const none = (manifest: Manifest) =>
  ["## No sign-in (`none`)", `For servers that everybody can use. ${integration(manifest, "none")}`].join("\n\n");

function apiKey(manifest: Manifest): string {
  const { label, help, steps } = manifest.auth.api_key!;
  return [
    "## Key (`api_key`)",
    `The user enters: **${label}**. Where to find or create it: <${help}>`,
    ...(steps ? [numbered(steps)] : []),
    `${integration(manifest, "api_key")} Without the connect page, a connection takes the key as ${code("auth_token")}.`,
  ].join("\n\n");
}

function basic(manifest: Manifest): string {
  const { username, password, help } = manifest.auth.basic!;
  return [
    "## User name and password (`basic`)",
    password === undefined
      ? `The user enters: **${username}**. Where to find it: <${help}>`
      : `The user enters: **${username}** and **${password}**. Where to find them: <${help}>`,
    `${integration(manifest, "basic")} Without the connect page, a connection takes them as ${code("username")} and ${code("password")}.`,
  ].join("\n\n");
}

const titles: Record<IssuedType, string> = {
  client_credentials: "Client credentials",
  two_step: "Login request",
  jwt: "Signed token",
  github_app: "GitHub App",
};

/** Types whose tokens are issued without the user. */
const issued = (type: IssuedType) => (manifest: Manifest) => {
  const { asks, help, steps, installation, revoke } = manifest.auth[type]!;
  const labels = Object.values(asks).map((label) => `**${label}**`);
  return [
    `## ${titles[type]} (${code(type)})`,
    installation
      ? `The redirect URL to register is ${code("{AUTH_URL}/callback")}. Register the app: <${help}>`
      : `The user enters: ${labels.join(" and ")}. Where to find it: <${help}>`,
    ...(steps ? [numbered(steps)] : []),
    integration(manifest, type),
    ...(installation
      ? [
          "The user installs the app on a page of the provider. The installation must be one that the provider lists for this user.",
        ]
      : []),
    `Tokens are issued again before they expire. ${revoke ? "Deleting a connection revokes its token." : "Deleting a connection does not revoke its token."}`,
  ].join("\n\n");
};

const authSections: Record<AuthType, (manifest: Manifest) => string> = {
  oauth2,
  api_key: apiKey,
  basic,
  client_credentials: issued("client_credentials"),
  two_step: issued("two_step"),
  jwt: issued("jwt"),
  github_app: issued("github_app"),
  none,
};

function settings(manifest: Manifest): string[] {
  const all = Object.entries(manifest.settings ?? {});
  if (all.length === 0) return [];
  const rows = all.map(
    ([name, { label, hint, placeholder, pattern, ofIntegration, askedWith = authTypes(manifest) }]) => [
      code(name),
      cell(label),
      cell(hint ?? "–"),
      placeholder ? code(placeholder) : "–",
      code(cell(pattern)),
      [
        askedWith.length > 0 ? askedWith.map(code).join(", ") : "never: it comes with the token or is looked up",
        ...(ofIntegration ? ["set by the integration"] : []),
      ].join("; "),
    ],
  );
  return [
    "## Settings",
    "Values of the account. The connect page asks for them; a connection made through the Platform API takes them in `settings`. They become part of addresses, so each must match its pattern as a whole.",
    table(["Setting", "Label", "Where to find it", "Example", "Pattern", "Asked for with"], rows),
  ];
}

/** The base addresses of the Proxy, one row for auth types that have the same. */
function proxy(manifest: Manifest): string[] {
  const { selfHostedOnly, mcpOnly, check, name } = manifest;
  const types = authTypes(manifest);
  const bases = [...new Set(types.map((type) => baseUrl(manifest, type)))];
  const rows = bases.map((base) => {
    const sharing = types.filter((type) => baseUrl(manifest, type) === base);
    const all = sharing.length === types.length;
    return [all ? "all" : sharing.map(code).join(", "), code(base), code(ownBaseUrl(manifest, sharing[0]!))];
  });
  const example =
    check?.method === "GET" && check.to === "api" && check.path.length > 1
      ? ` For example, ${code(`GET /proxy${check.path}`)} calls ${code(bases[0]! + check.path)}.`
      : "";
  return [
    "## Base address for the Proxy",
    `The [Proxy](../proxy.md) appends what follows ${code("/proxy")} to the base address. The base address's own path may be left out.${example}`,
    mcpOnly
      ? `The base address is ${code("{mcp_url}")}, the server that the integration names. MCP clients use [${code("/mcp")}](../mcp.md) instead.`
      : selfHostedOnly
        ? `The base address is ${code(bases[0]!)}: ${name} is self-hosted, so every integration needs a ${code("base_url")}, the address of the server without a path.`
        : table(["Connections", "Base address", "For an integration with a `base_url`"], rows),
    ...otherAddresses(manifest),
  ];
}

/** The addresses besides the base address that the Proxy reaches. */
function otherAddresses(manifest: Manifest): string[] {
  const others = requestAddresses(manifest).filter((name) => name !== "api");
  if (others.length === 0) return [];
  const rows = others.map((name) => {
    const templates = authTypes(manifest).map((type) => addressTemplate(manifest, name, type)!);
    return [code(`/proxy/@${name}`), [...new Set(templates)].map(code).join(", ")];
  });
  return ["Other addresses:", table(["Path", "Leads to"], rows)];
}

/** For a table: whether `/mcp` works, and with which auth types if not with all. */
export function mcpSupport(manifest: Manifest): string {
  const types = mcpAuthTypes(manifest);
  if (types.length === 0) return "–";
  return types.length === authTypes(manifest).length ? "yes" : `with ${types.map(code).join(", ")}`;
}

function mcpServer(manifest: Manifest): string {
  if (manifest.mcpOnly) return `[${code("/mcp")}](../mcp.md) forwards to the integration's ${code("mcp_url")}.`;
  const types = mcpAuthTypes(manifest);
  const unsupported = `answers 400 ${code("mcp_not_supported")}, unless the integration has an ${code("mcp_url")}.`;
  if (types.length === 0)
    return `${manifest.name} has no MCP server that accepts these connections' credentials: [${code("/mcp")}](../mcp.md) ${unsupported}`;
  const [address] = types.map((type) => code(addressTemplate(manifest, "mcp", type)!));
  if (types.length === authTypes(manifest).length)
    return `[${code("/mcp")}](../mcp.md) forwards to ${address}, or to the integration's ${code("mcp_url")}.`;
  return `With ${types.map(code).join(", ")}, [${code("/mcp")}](../mcp.md) forwards to ${address}. Otherwise it ${unsupported}`;
}

const mcp = (manifest: Manifest) => [
  "## MCP",
  mcpServer(manifest),
  ...(manifest.mcpOnly ? [] : [`Unified MCP (${code("/unified/v1/mcp")}) works with every connection.`]),
];

/** How the provider's own webhooks start subscriptions. */
function webhooks(manifest: Manifest): string[] {
  const types = authTypes(manifest);
  const kinds = [...new Set(types.map((type) => hooksOf(manifest, type)))];
  if (kinds.every((hooks) => hooks === undefined)) return [];
  return [
    "## Webhooks",
    ...kinds.flatMap((hooks) => {
      if (!hooks) return [];
      const sharing = types.filter((type) => hooksOf(manifest, type) === hooks);
      const prefix = sharing.length === types.length ? "" : `With ${sharing.map(code).join(", ")}: `;
      if (hooks.per === "none")
        return [`${prefix}[Subscriptions](../events.md) read lists at their interval, because ${hooks.because}.`];
      const lists = Object.keys(hooks.lists).map(code).join(", ");
      const started = `${prefix}${manifest.name}'s webhooks start [subscriptions](../events.md#instant-events) to ${lists}.`;
      if (hooks.per === "connection")
        return [
          `${started} Each connection makes them by itself.${hooks.needs ? ` ${hooks.needs}` : ""}${hooks.secret === "hook" ? "" : ` The integration needs its ${code(hooks.secret)}, which they are signed with.`}`,
        ];
      return [
        `${started} They belong to the application: enter the integration's ${code("hook_url")} once at ${manifest.name}.`,
        numbered([...hooks.steps]),
      ];
    }),
  ];
}

const operationsOf = (provider: Provider) =>
  categories.flatMap((category) => {
    const own = provider.categories.find((one) => one.category === category.id)?.operations ?? {};
    return category.bound.filter(({ name }) => own[name] !== undefined);
  });

function covered(provider: Provider): string[] {
  const rows = operationsOf(provider).map(({ method, route, summary }) => [
    code(`${method} /unified${templatePath(route)}`),
    summary,
  ]);
  if (rows.length === 0) return [];
  return [
    "## Operations",
    table(["Operation", ""], rows),
    "All providers side by side: [coverage.md](../coverage.md).",
  ];
}

export function providerPage(provider: Provider): string {
  const { manifest } = provider;
  const { id, name, docs, notes = [] } = manifest;
  return `${[
    `# ${name}`,
    NOTICE,
    `Identifier ${code(id)}. [${name}'s API reference](${docs}). How connecting works: [connecting.md](../connecting.md).`,
    ...(notes.length > 0 ? ["## Good to know", bullets(notes)] : []),
    ...authTypes(manifest).map((type) => authSections[type](manifest)),
    ...settings(manifest),
    ...proxy(manifest),
    ...mcp(manifest),
    ...webhooks(manifest),
    ...covered(provider),
  ].join("\n\n")}\n`;
}

export function providerIndex(providers: readonly Provider[]): string {
  const rows = providers.map((provider) => {
    const { manifest } = provider;
    const titles = categories.filter(({ id }) => provider.categories.some(({ category }) => category === id));
    return [
      `[${manifest.name}](${manifest.id}.md)`,
      code(manifest.id),
      titles.map(({ title }) => title).join(", ") || "–",
      authTypes(manifest).map(code).join(", "),
      mcpSupport(manifest),
    ];
  });
  return `# Providers

${NOTICE}

One page per provider: how to set it up, which settings a connection has, the base address for the Proxy, and what is worth knowing. [coverage.md](../coverage.md) compares what they support; \`GET /platform/v1/providers\` has the same as JSON.

${table(["Provider", "Identifier", "Categories", "Auth types", "MCP server"], rows)}
`;
}
