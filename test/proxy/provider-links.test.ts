// Every link in a provider's responses that a client would call with its credential leads to the Proxy: in all responses
// of the emulated providers, and in the examples of the providers' own descriptions.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { authTypes, type Manifest, requestAddresses } from "../../src/contracts/manifest.ts";
import { isWrite } from "../../src/contracts/operation.ts";
import { resolveAddress } from "../../src/engine/connection/address.ts";
import { findLinkAddresses } from "../../src/engine/connection/link-addresses.ts";
import type { ConnectionContext, Forwarded, RequestTarget } from "../../src/engine/index.ts";
import { loadEvidence } from "../../src/providers/evidence.gen.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { createLinkRewriter } from "../../src/surfaces/proxy/links.ts";
import { createClient } from "../conformance/client.ts";
import { availableDescriptions, specsFolder } from "../support/contract/index.ts";
import { startService, type TestService } from "../support/service.ts";

const PAGES = "web pages for people";
const PICTURES = "pictures, which are opened without a credential";
const DATA = "an example of the users' own data";
const ROOT = "names the server and is not called";
const SIGNED = "its address alone is the permission";

/** Links that are not rewritten, by what they begin with, and why. */
const NOT_CALLED: Record<string, Record<string, string>> = {
  asana: {
    "https://app.asana.com/0|1|-|app": PAGES,
    "https://s3.amazonaws.com/": PICTURES,
    "https://asana.com/": PAGES,
  },
  attio: {
    "https://app.attio.com/": PAGES,
    "https://assets.attio.com/": PICTURES,
    "https://api.attio.com": ROOT,
    "https://attio.com/": PAGES,
  },
  bitbucket: {
    "https://bitbucket.org/": PAGES,
    "https://tutorials.bitbucket.org/": PAGES,
    "https://api.bitbucket.org/...": "a shortened example",
    "https://api.bitbucket.org/api": "not a path of this API: an example that is out of date",
    "https://api.bitbucket.org/evzijst": "not a path of this API: an example that is out of date",
  },
  box: {
    "https://app.box.com/": PAGES,
    "https://cloud.app.box.com/": PAGES,
    "https://cloud.box.com/": PAGES,
    "https://acme.app.box.com/": PAGES,
    "https://example.app.box.com/": PAGES,
    "https://account.box.com/": PAGES,
    "https://box.com": PAGES,
    "https://api.box.com": ROOT,
    "https://dl.boxcloud.com/2.0": SIGNED,
  },
  clickup: {
    "https://app.clickup.com/": PAGES,
    "https://staging.clickup.com/": PAGES,
    "https://forms.clickup.com/": PAGES,
    "https://clickup.com/": DATA,
    "https://attachments.clickup.com/": PICTURES,
    "https://attachments-public.clickup.com/": PICTURES,
    "https://api.clickup.com/api": ROOT,
  },
  discord: { "https://discord.com/developers|api/oauth2": PAGES },
  dropbox: {
    "https://dropbox.com/": PAGES,
    "https://dl-web.dropbox.com/": PICTURES,
    "https://content.dropboxapi.com/apitul": SIGNED,
  },
  gitea: { "https://gitea.com/": PAGES },
  github: {
    "https://github.com": PAGES,
    "https://svn.github.com/": PAGES,
    "https://classroom.github.com/": PAGES,
    "https://avatars.githubusercontent.com/": PICTURES,
    "https://codeload.github.com/": SIGNED,
  },
  gitlab: { "https://gitlab.com/": PAGES },
  "google-calendar": {
    "https://www.googleapis.com/auth": "names of scopes",
    "https://www.googleapis.com/": ROOT,
    "https://lh3.googleusercontent.com/": PICTURES,
  },
  "google-chat": {
    "https://www.googleapis.com/auth": "names of scopes",
    "https://chat.googleapis.com/": ROOT,
    "https://chat.mtls.googleapis.com/": ROOT,
    "https://lh3.googleusercontent.com/": PICTURES,
    "https://chat.google.com/": PAGES,
  },
  "google-drive": {
    "https://www.googleapis.com/auth": "names of scopes",
    "https://www.googleapis.com/": ROOT,
    "https://www.mtls.googleapis.com/": ROOT,
    "https://lh3.googleusercontent.com/": PICTURES,
    "https://drive.google.com/": PAGES,
  },
  "help-scout": { "https://d33v4339jhl8k0.cloudfront.net/": PICTURES, "https://secure.helpscout.net/": PAGES },
  hubspot: { "https://app.hubspot.com/": PAGES },
  intercom: { "https://static.intercomassets.com/": PICTURES, "http://via.intercom.io/": PAGES },
  jira: {
    "https://sandbox.atlassian.net/images": PICTURES,
    "https://jira.atlassian.com/": PICTURES,
    "http://atlassian.com": DATA,
  },
  linear: { "https://linear.app/": PAGES, "https://public.linear.app/": PICTURES },
  monday: { "https://sandbox.monday.com/": PAGES, "https://files.monday.com/": PICTURES },
  notion: { "https://s3-us-west-2.amazonaws.com/": PICTURES, "https://api.notion.com": ROOT },
  onedrive: { "https://example-my.sharepoint.com/": PAGES },
  "outlook-calendar": { "https://outlook.office365.com/": PAGES },
  pipedrive: { "https://app.pipedrive.com/": PAGES, "https://upload-cdn.pipedrive.com/": PICTURES },
  salesforce: { "https://sandbox-dev-ed.develop.my.salesforce.com/profilephoto": PICTURES },
  shortcut: { "https://app.shortcut.com/": PAGES, "https://cdn.app.shortcut.com/": PICTURES },
  slack: {
    "https://plugboard-sandbox.slack.com/": PAGES,
    "https://a.slack-edge.com/": PICTURES,
    "https://api.slack.com/": PAGES,
    "https://slack.com/oauth": PAGES,
    "https://myteam.enterprise.slack.com/": PAGES,
    "https://acmecorp.slack.com/": PAGES,
    "https://subarachnoid.slack.com/": PAGES,
    "https://ghostbusters.slack.com/": PAGES,
    "https://hitchhikers.slack.com/": PAGES,
  },
  teams: { "https://teams.microsoft.com/": PAGES, "https://example.sharepoint.com/": PAGES },
  trello: { "https://trello.com/c|home|docs|legal": PAGES, "https://trello-members.s3.amazonaws.com/": PICTURES },
  zendesk: {
    "https://sandbox.zendesk.com/system": PICTURES,
    "https://example.zendesk.com/system": PICTURES,
    "https://z3n-example.zendesk.com/system": PICTURES,
    "https://company.zendesk.com/attachments": SIGNED,
    "https://company.zendesk.com/logos|photos": PICTURES,
    "https://brand1.zendesk.com": PAGES,
    "https://partner12345.zendesk.com": PAGES,
  },
};

/** Documentation and advertising, the same everywhere. */
const DOCUMENTATION = /^https?:\/\/(?:docs|developers?|support|help|community|www)\.(?!googleapis\.)/;
const EXAMPLE = /^https?:\/\/(?:[^/]+\.)?example\.com(?:\/|$)/;

const listed = Object.entries(NOT_CALLED).flatMap(([id, reasons]) =>
  Object.keys(reasons).map((start) => {
    const [, before, choices] = /^(https?:\/\/[^/]+\/?)(.*)$/.exec(start)!;
    const pattern = `^${RegExp.escape(before!)}(?:${choices!
      .split("|")
      .map((one) => RegExp.escape(one))
      .join("|")})`;
    return { id, start, expression: new RegExp(pattern), used: false };
  }),
);

/** Whether a link need not lead to the Proxy. A server's address alone is one that has no path. */
function isListed(id: string, url: string): boolean {
  const isRoot = (start: string) =>
    NOT_CALLED[id]![start] === ROOT && url.replace(/\/$/, "") !== start.replace(/\/$/, "");
  const found = listed.filter((one) => one.id === id && one.expression.test(url) && !isRoot(one.start));
  for (const one of found) one.used = true;
  return found.length > 0 || DOCUMENTATION.test(url) || EXAMPLE.test(url);
}

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60", UNIFIED_RATE_LIMIT: "100000/60" } });
});
afterAll(() => service?.close());

function* stringsIn(value: unknown): Generator<string> {
  if (typeof value === "string") yield value;
  else if (value && typeof value === "object") for (const one of Object.values(value)) yield* stringsIn(one);
}

async function linksIn(response: Response): Promise<string[]> {
  const headers = [...response.headers.values()].flatMap((value) => value.match(/(?<=^|<)https?:[^>]*/g) ?? []);
  const isJson = response.headers.get("content-type")?.includes("json");
  const strings = isJson ? [...stringsIn(await response.json())] : [];
  return [...headers, ...strings.filter((one) => /^https?:\/\/\S*$/.test(one))];
}

it.each(providers.map((provider) => [provider.manifest.id, provider] as const))(
  "%s, emulated: all links to the provider lead to the Proxy, or are listed with a reason",
  async (id, provider) => {
    const client = createClient(service, provider);
    const { manifest, categories } = provider;
    const { connection, integration } = (await service.store.connections.load(service.connections[id]!))!;
    const own = `${service.url}/sandbox`;
    const addresses = requestAddresses(manifest)
      .map((name) => {
        const { origin, path } = resolveAddress(manifest, name, integration!, connection.settings, own)!;
        return { name, path: (origin + path).slice(`${own}/${id}`.length) };
      })
      .sort((a, b) => b.path.length - a.path.length);
    const reads = operations.filter(
      (one) =>
        !isWrite(one.kind) &&
        one.kind !== "download" &&
        categories.some((c) => c.category === one.category && c.operations[one.name]),
    );
    const exchanges = await client.exchanges(async () => {
      for (const operation of reads) {
        const limit: Record<string, number> = operation.kind === "list" ? { limit: 3 } : {};
        await client.call(operation, await client.sampleParams(operation, operations), limit);
      }
    });
    const forms = new Map(
      exchanges.map(({ request }) => [request.method + request.path + JSON.stringify(request.body), request]),
    );
    const unlisted = new Set<string>();
    for (const { method, path, query, body } of forms.values()) {
      const { name, path: before } = addresses.find((one) => path.startsWith(one.path))!;
      const response = await fetch(`${service.url}/proxy/@${name}${path.slice(before.length)}?${query}`, {
        method,
        headers: { authorization: `Bearer ${service.apiKey}.${connection.id}`, "content-type": "application/json" },
        ...(body ? { body: JSON.stringify(body) } : {}),
      });
      expect([path, response.ok]).toEqual([path, true]);
      for (const link of await linksIn(response))
        if (!link.startsWith(`${service.config.urls.proxy}/`) && !isListed(id, link)) unlisted.add(link);
    }
    expect([...unlisted]).toEqual([]);
  },
);

const folder = specsFolder();
const evidence = await loadEvidence();
const domainOf = (url: string) => URL.parse(url)?.hostname.split(".").slice(-2).join(".");
const withoutSettings = (url: string) => url.replace(/\{\w+\}/g, "x");

/** Rewrites a link for connections with any settings, of each type. */
function rewritersOf(manifest: Manifest) {
  const names = Object.keys(manifest.settings ?? {});
  const settings = { ...Object.fromEntries(names.map((name) => [name, "*"])), site_url: "https://*.atlassian.net" };
  return authTypes(manifest).map((type) => {
    const integration = { type, base_url: null, mcp_url: manifest.mcpOnly ? "https://mcp.example" : null };
    const address = (name: string) => resolveAddress(manifest, name, integration, settings, undefined)!;
    const linkAddresses = () => findLinkAddresses(manifest, integration, settings, address);
    const connection = { linkAddresses, provider: { manifest } } as unknown as ConnectionContext;
    const { body } = createLinkRewriter(connection, { to: "api", prefix: "" } as RequestTarget, "proxy:");
    return (link: string) => {
      const text: Buffer[] = [];
      const source: Forwarded["pipeTo"] = (writer) => {
        writer.end(Buffer.from(JSON.stringify(link)));
        return { resume() {}, cancel() {} };
      };
      body(source)({ write: () => true, end: (last) => void text.push(last!), fail() {} });
      return JSON.parse(Buffer.concat(text).toString()) as string;
    };
  });
}

/** Addresses of OAuth and MCP, which no request of a client goes to. */
const isForSignIn = ({ addresses }: Manifest, url: string) =>
  ["authorize", "token", "revoke", "mcp"].some((name) => url.startsWith(withoutSettings(addresses[name] ?? "\n")));

it.skipIf(!folder && !process.env.CI)(
  "in every official description, links to the provider lead to the Proxy, or are listed with a reason",
  () => {
    expect(folder, "CONTRACT_SPECS is not set: see docs/contract-suite.md").toBeDefined();
    const unlisted = new Set<string>();
    for (const { manifest } of providers.filter(({ categories }) => categories.length > 0)) {
      const domains = new Set(Object.values(manifest.addresses).map((one) => domainOf(withoutSettings(one!))));
      const rewriters = rewritersOf(manifest);
      const descriptions = availableDescriptions(evidence[manifest.id], folder);
      for (const file of descriptions.flatMap((one) => [one.file, ...(one.parts ?? [])]))
        for (const [, found] of readFileSync(join(folder!, file), "utf8").matchAll(
          /(?:"|'|: |- )(https?:\/\/[^\s"'<>\\)]+)/g,
        )) {
          const link = withoutSettings(found!);
          if (!domains.has(domainOf(link)) || isForSignIn(manifest, link)) continue;
          if (rewriters.some((rewrite) => rewrite(link).startsWith("proxy:")) || isListed(manifest.id, link)) continue;
          unlisted.add(`${manifest.id}: ${link}`);
        }
    }
    expect([...unlisted]).toEqual([]);
  },
);

it.skipIf(!folder)("every link that is listed with a reason is still there", () => {
  expect(listed.filter(({ used }) => !used).map(({ id, start }) => `${id}: ${start}`)).toEqual([]);
});
