import Fastify from "fastify";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hasRole, type Role, roleScopes, roles } from "../../src/contracts/access.ts";
import { dashboard } from "../../src/surfaces/dashboard/index.ts";
import { type Fields, Visitor } from "../dashboard/support/visitor.ts";
import { newClient, newCode } from "../mcp-sign-in/support.ts";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

/** Who may open which page and send which form. A new one has to be added here. */
const expected: Record<Role, string[]> = {
  viewer: [
    "GET /",
    "GET /audit",
    "GET /connections",
    "GET /connections/:id",
    "GET /custom-fields",
    "GET /events",
    "GET /integrations",
    "GET /integrations/:id",
    "GET /keys",
    "GET /mcp",
    "GET /providers",
    "GET /providers/:id",
    "GET /requests",
    "GET /requests/:id",
    "GET /settings",
    "GET /subscriptions",
    "GET /subscriptions/:id",
    "GET /tool-packs",
    "GET /webhooks",
    "GET /webhooks/:id",
    "POST /sign-out",
    "POST /workspace",
  ],
  developer: [
    "GET /connect",
    "GET /connections/:id/delete",
    "GET /explorer",
    "GET /mcp-sign-ins/:request",
    "GET /sandbox",
    "GET /subscriptions/:id/delete",
    "GET /subscriptions/new",
    "GET /webhooks/:id/delete",
    "POST /connect",
    "POST /connections/:id",
    "POST /connections/:id/delete",
    "POST /connections/:id/reconnect",
    "POST /connections/:id/test",
    "POST /explorer",
    "POST /mcp/:id/revoke",
    "POST /providers/:id/call",
    "POST /sandbox/changes",
    "POST /sandbox/faults",
    "POST /sandbox/faults/clear",
    "POST /sandbox/requests/clear",
    "POST /subscriptions/:id",
    "POST /subscriptions/:id/delete",
    "POST /subscriptions/:id/pause",
    "POST /subscriptions/:id/resume",
    "POST /subscriptions/:id/run",
    "POST /subscriptions/new",
    "POST /webhooks",
    "POST /webhooks/:id",
    "POST /webhooks/:id/delete",
    "POST /webhooks/:id/deliveries/:delivery/resend",
    "POST /webhooks/:id/enabled",
    "POST /webhooks/:id/resend",
    "POST /webhooks/:id/rotate",
    "POST /webhooks/:id/test",
  ],
  admin: [
    "GET /custom-fields/:id/delete",
    "GET /custom-fields/new",
    "GET /integrations/:id/delete",
    "GET /integrations/new",
    "GET /integrations/new/:provider",
    "GET /keys/:id/delete",
    "GET /mcp/:id/tool-pack",
    "GET /new-provider",
    "GET /providers/:id/delete",
    "GET /tool-packs/:id/delete",
    "GET /tool-packs/:id/edit",
    "POST /check-provider",
    "POST /custom-fields",
    "POST /custom-fields/:id/delete",
    "POST /integrations/:id",
    "POST /integrations/:id/delete",
    "POST /integrations/:id/hook-secret",
    "POST /integrations/new/:provider",
    "POST /integrations/new/:provider/sandbox",
    "POST /keys",
    "POST /keys/:id/delete",
    "POST /mcp/:id/tool-pack",
    "POST /new-provider",
    "POST /providers/:id",
    "POST /providers/:id/delete",
    "POST /settings",
    "POST /tool-packs",
    "POST /tool-packs/:id/delete",
    "POST /tool-packs/:id/edit",
  ],
};

interface DeclaredRoute {
  method: "GET" | "POST";
  path: string;
  role: Role;
}

const ownProvider = {
  id: "acme",
  name: "Acme",
  docs_url: "https://docs.acme.test",
  addresses: { api: "https://api.acme.test" },
  auth: { api_key: { in: "header", name: "X-Key", label: "API key" } },
};

let service: TestService;
let platform: StrictPlatform;
let declared: DeclaredRoute[];
/** The part of a path with a parameter, and one that exists. */
let samples: Record<string, string>;
let webhookSecret: string;
const visitors = {} as Record<Role, Visitor>;
/** In a workspace in which there is nothing yet. */
const strangers = {} as Record<Role, Visitor>;

/** Somebody whose session was opened with a key that has the scopes of a role, and no other. */
async function signInAs(role: Role, call: StrictPlatform): Promise<Visitor> {
  const { api_key } = await call("POST", "/api-keys", { name: role, scopes: roleScopes[role] });
  const visitor = new Visitor(service);
  expect((await visitor.post("/sign-in", { api_key })).status).toBe(303);
  await visitor.get("");
  return visitor;
}

beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  platform = createStrictPlatform(service, service.apiKey);
  const { github: connection } = service.connections;
  const app = Fastify();
  declared = [];
  app.addHook("onRoute", ({ method, url, config }) => {
    const access = config?.access;
    if (typeof access === "object" && "role" in access && method !== "HEAD")
      declared.push({ method: method as DeclaredRoute["method"], path: url, role: access.role });
  });
  const { store, coordination, engine } = service.parts;
  const { urls, dashboardUrl: url, headerPrefix } = service.config;
  const parts = { store, coordination, engine, urls, url, headerPrefix, operations: [], sandbox: true };
  const signIns = { consentUrl: () => "" };
  dashboard(app, { ...parts, peopleOnly: false, signingKeys: () => [], signIns });

  await platform("PATCH", `/connections/${connection}`, { metadata: { plan: "the-large-one" } });
  await platform("PATCH", "/workspace", { accent_color: "#123456", redirect_uris: ["https://app.example.com/done"] });
  const webhook = await platform("POST", "/webhooks", {
    name: "Receiver",
    url: "http://127.0.0.1:1/hook",
    events: { "connection.*": true },
  });
  webhookSecret = webhook.secret;
  const delivery = await platform("POST", `/webhooks/${webhook.id}/test`);
  const subscription = await platform("POST", "/subscriptions", {
    connection_id: connection,
    operation: "git.listRepositories",
    interval_seconds: 86_400,
  });
  await platform("POST", `/subscriptions/${subscription.id}/pause`);
  await fetch(`${service.url}/unified/v1/me`, {
    headers: { authorization: `Bearer ${service.apiKey}`, "svc-connection-id": connection! },
  });
  await injectFault(service, { provider: "slack", status: 500, times: 1 });
  await service.parts.requestLog.flush();
  const [request] = await platform("GET", "/logs?surface=unified");
  const key = await platform("POST", "/api-keys", { name: "to delete" });
  await platform("POST", "/providers", ownProvider);
  const customField = await platform("POST", "/custom-fields", {
    record: "git.repository",
    name: "branch",
    type: "string",
    paths: { github: "/default_branch" },
  });
  const pack = await platform("POST", "/tool-packs", { name: "Sales", access: "read", hide: ["crm.contact.email"] });
  await newCode(await newClient(service));
  const [grant] = await platform("GET", "/mcp-grants");
  samples = {
    "/mcp/:id": `/mcp/${grant.id}`,
    "/mcp-sign-ins/:request": "/mcp-sign-ins/expired",
    "/providers/:id": "/providers/acme",
    "/connections/:id": `/connections/${connection}`,
    "/integrations/new/:provider": "/integrations/new/github",
    "/integrations/:id": `/integrations/${service.integrations.github}`,
    "/keys/:id": `/keys/${key.id}`,
    "/requests/:id": `/requests/${request.id}`,
    "/subscriptions/:id": `/subscriptions/${subscription.id}`,
    "/tool-packs/:id": `/tool-packs/${pack.id}`,
    "/custom-fields/:id": `/custom-fields/${customField.id}`,
    "/webhooks/:id/deliveries/:delivery": `/webhooks/${webhook.id}/deliveries/${delivery.id}`,
    "/webhooks/:id": `/webhooks/${webhook.id}`,
  };
  const empty = createStrictPlatform(service, await service.createWorkspace("empty"));
  for (const role of roles) {
    visitors[role] = await signInAs(role, platform);
    strangers[role] = await signInAs(role, empty);
  }
});
afterAll(() => service?.close());

const may = (role: Role, route: DeclaredRoute) => hasRole({ scopes: roleScopes[role] }, route.role);
const pages = () => declared.filter(({ method }) => method === "GET");
const forms = () => declared.filter(({ method }) => method === "POST");

/** A path of something that exists. */
function sampleOf({ path }: DeclaredRoute): string {
  const known = Object.keys(samples).find((prefix) => path.startsWith(prefix));
  const filled = known ? samples[known] + path.slice(known.length) : path;
  if (filled.includes(":")) throw new Error(`there is no sample for ${path}`);
  return filled;
}

/** A form with a value for each field that any of them has. */
const filledForm = (): Fields => ({
  name: "changed",
  external_id: "changed",
  metadata: '{"changed":true}',
  enabled: "false",
  interval_seconds: "60",
  redirect_uris: "https://changed.example.com",
  url: "https://changed.example.com",
  events: "*",
  connection: service.connections.github!,
  operation: "git.listRepositories",
  do: "send",
  document: JSON.stringify({ ...ownProvider, name: "changed" }),
  method: "DELETE",
  path: "/",
  provider: "github",
  effect: "500",
  times: "1",
  "change-provider": "github",
  list: "git.listIssues",
  create: "1",
  type: "oauth2",
  client_id: "changed",
  client_secret: "changed",
});

/** What forms change, without what changes by itself. */
async function readState(): Promise<string> {
  const pick = (rows: Record<string, unknown>[], ...names: string[]) =>
    rows.map((row) => names.map((name) => row[name]));
  const sandbox = async (list: string) => (await fetch(`${service.url}/sandbox/_${list}`)).json() as Promise<any>;
  return JSON.stringify([
    await platform("GET", "/workspace"),
    pick(await platform("GET", "/connections?limit=100"), "id", "external_id", "metadata"),
    await platform("GET", "/integrations?limit=100"),
    pick(await platform("GET", "/api-keys?limit=100"), "id", "scopes"),
    await platform("GET", "/mcp-grants"),
    pick(await platform("GET", "/webhooks"), "id", "name", "url", "events", "enabled"),
    await platform("GET", "/providers/acme"),
    await platform("GET", "/tool-packs"),
    await platform("GET", "/custom-fields"),
    pick(await platform("GET", "/subscriptions"), "id", "status", "interval_seconds"),
    pick(await sandbox("faults"), "provider", "status"),
    (await sandbox("requests")).length,
  ]);
}

it("every page and form needs the role that it is meant for", () => {
  const found = Object.fromEntries(
    roles.map((role) => [
      role,
      declared
        .filter((route) => route.role === role)
        .map(({ method, path }) => `${method} ${path}`)
        .sort(),
    ]),
  );
  expect(found).toEqual(expected);
});

describe.each(roles)("the role %s", (role) => {
  it(`the role ${role} opens the pages that are declared for it, and no other`, async () => {
    for (const route of pages()) {
      const { status, html } = await visitors[role].get(sampleOf(route));
      const opened = route.path.startsWith("/mcp-sign-ins") ? 404 : 200;
      expect([route.path, status]).toEqual([route.path, may(role, route) ? opened : 403]);
      if (status === 403) expect(html).toContain(`This needs the role ${route.role}, and you have ${role}.`);
    }
  });

  it(`the role ${role} is not refused when it sends a form that is declared for it`, async () => {
    const visitor = await signInAs(role, platform);
    // Signing out comes last, and nothing that exists is changed. Only a person has another workspace to switch to.
    const apart = ["/sign-out", "/workspace"];
    const own = forms().filter((route) => may(role, route) && !apart.includes(route.path));
    for (const { path } of [...own, { path: "/sign-out" }]) {
      const { status } = await visitor.post(path.replace(/:\w+/g, "none"));
      expect([path, [200, 303, 400, 404].includes(status)]).toEqual([path, true]);
    }
  });

  it(`the role ${role} changes nothing with a form that is not declared for it`, async () => {
    const before = await readState();
    for (const route of forms().filter((one) => !may(role, one))) {
      const { status, html } = await visitors[role].post(sampleOf(route), filledForm());
      expect([route.path, status]).toEqual([route.path, 403]);
      expect(html).toContain(`This needs the role ${route.role}, and you have ${role}. Nothing was changed.`);
    }
    expect(await readState()).toBe(before);
  });

  /** Every page that the role may open, in a workspace with everything and in an empty one. */
  const ownPages: { visitor: Visitor; path: string; html: string }[] = [];
  beforeAll(async () => {
    for (const route of pages().filter((one) => may(role, one))) {
      for (const visitor of [visitors[role], strangers[role]]) {
        if (visitor === strangers[role] && route.path.includes(":")) continue;
        const { html } = await visitor.get(sampleOf(route));
        ownPages.push({ visitor, path: route.path, html: html.replaceAll("&amp;", "&") });
      }
    }
  });

  it(`the role ${role} finds only links on its pages that it may open, and only forms that it may send`, async () => {
    const seen = new Set<string>();
    const wrong: string[] = [];
    for (const { visitor, path, html } of ownPages) {
      /** One target of each kind is enough: lists have many. */
      const isNew = (kind: string, target: string) => {
        const pattern = `${kind} ${target.replace(/\w+_\w{20,}/g, "ID").replace(/(new|requests)\/[^/?]+/, "$1/ID")}`;
        return !seen.has(pattern) && seen.add(pattern) && true;
      };
      for (const [, target] of html.matchAll(/<a [^>]*href="(\/[^"]*)"/g))
        if (isNew("open", target!)) {
          const { status } = await visitor.send(target!);
          if (status >= 400) wrong.push(`${path} links to ${target}: ${status}`);
        }
      for (const [, id] of html.matchAll(/<a [^>]*href="#([^"]*)"/g))
        if (!html.includes(`id="${id}"`)) wrong.push(`${path} links to #${id}`);
      for (const [, method, target] of html.matchAll(/<form method="(get|post)" action="([^"]+)"/g)) {
        if (!isNew(method!, target!)) continue;
        // A form without its token goes no further than the check of the role.
        const { status, html: answer } =
          method === "get"
            ? await visitor.send(target!)
            : await visitor.post(target!.replace("/dashboard", ""), { csrf: "" });
        const isFine = method === "get" ? status === 200 : answer.includes("The form was refused");
        if (!isFine) wrong.push(`${path} has a form for ${target}: ${status}`);
      }
    }
    expect(wrong).toEqual([]);
    expect(seen.size).toBeGreaterThan(20);
  });

  it(`the role ${role} finds no empty part, and no secret, on its pages`, () => {
    expect(ownPages.length).toBeGreaterThan(20);
    const wrong: string[] = [];
    for (const { path, html } of ownPages) {
      for (const [, section] of html.matchAll(/<section [^>]*>([\s\S]*?)<\/section>/g)) {
        const content = section!.replace(/<h2[\s\S]*?<\/h2>/, "").replace(/<(?!input|img|svg)[^>]+>/g, "");
        if (content.trim() === "" && !section!.includes('class="empty"')) wrong.push(`${path}: ${section}`);
      }
      for (const [found] of html.matchAll(/<(div class="row"|ul[^>]*|ol[^>]*|dd|form[^>]*)>\s*<\/\w+>/g))
        wrong.push(`${path}: ${found}`);
      if (html.includes(webhookSecret) || html.includes("whsec_")) wrong.push(`${path} has a secret`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("a viewer sees as text what others change", () => {
  it.each([
    ["/settings", ["#123456", "https://app.example.com/done"]],
    ["/connections/:id", ["the-large-one"]],
    ["/webhooks/:id", ["connection.*", "http://127.0.0.1:1/hook"]],
    ["/subscriptions/:id", ["Every day"]],
    ["/keys", ["to delete"]],
    ["/tool-packs", ["Sales", "crm.contact.email"]],
    ["/integrations/:id", ["Client ID", "Stored, encrypted"]],
  ])("a viewer sees as text what others change on %s", async (path, texts) => {
    const { html } = await visitors.viewer.get(sampleOf({ method: "GET", path, role: "viewer" }));
    for (const text of texts) expect(html.replaceAll("&quot;", '"')).toContain(text);
    // Signing out is the only form.
    expect(html.match(/<form method="post"/g)).toHaveLength(1);
  });
});
