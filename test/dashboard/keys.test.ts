import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { roleScopes, type Scope } from "../../src/contracts/access.ts";
import { toText } from "../../src/runtime/html.ts";
import { newApiKey, newId } from "../../src/runtime/ids.ts";
import { keyFields } from "../../src/surfaces/dashboard/components/key-form.ts";
import { keyPresets } from "../../src/surfaces/shared/key-presets.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { type Fields, signIn, Visitor } from "./support/visitor.ts";

const DAY_MS = 86_400_000;

let service: TestService;
let platform: Platform;
let visitor: Visitor;
beforeAll(async () => {
  service = await startService();
  platform = createPlatform(service, service.apiKey);
  visitor = await signIn(service);
});
afterAll(() => service.close());

/** The key that a form creates, as the API shows it. */
async function create(fields: Fields, on = visitor) {
  const { html } = await on.post("/keys", fields);
  const key = /id="api-key"[^>]* value="(sk_\w+)"/.exec(html)?.[1];
  const { body } = await platform("GET", "/v1/api-keys?limit=100");
  return body.find(({ prefix }: { prefix: string }) => key?.startsWith(prefix));
}
const problemAt = (html: string, field: string) => new RegExp(`id="${field}-problem">([^<]*)<`).exec(html)?.[1];
const checked = (html: string) => [...html.matchAll(/value="([\w:*]+)"[^>]* checked/g)].map(([, value]) => value);

describe("the form for a new API key", () => {
  it("a new key is for an application server unless something else is chosen", async () => {
    expect(checked((await visitor.get("/keys")).html)).toEqual(["application"]);
    const { scopes } = keyPresets.find(({ id }) => id === "application")!;
    expect(scopes).not.toContain("*");
    expect(await create({ name: "app" })).toMatchObject({ name: "app", scopes, expires_at: null, external_id: null });
  });

  it.each(keyPresets)("a key of the preset $id has its scopes", async ({ id, scopes }) => {
    expect((await create({ preset: id })).scopes).toEqual(scopes);
  });

  it("a key has the scopes that were chosen one by one, and only if that is what was chosen", async () => {
    const scopes = ["logs:read", "proxy"];
    expect((await create({ preset: "choose", scopes })).scopes).toEqual(scopes);
    expect((await create({ preset: "agent", scopes: ["keys:write"] })).scopes).not.toContain("keys:write");
  });

  it("a key is bound to a user, and expires when it should", async () => {
    const key = await create({ external_id: " customer-1 ", expires: "90" });
    expect(key.external_id).toBe("customer-1");
    expect(Math.round((Date.parse(key.expires_at) - Date.parse(key.created_at)) / DAY_MS)).toBe(90);
    const dated = await create({ expires: "date", expires_at: "2099-02-01" });
    expect(dated.expires_at).toBe("2099-02-01T00:00:00.000Z");
  });

  it.each<[string, Fields, string, string]>([
    ["no scope", { preset: "choose" }, "scopes", "Choose at least one scope"],
    ["an unknown preset", { preset: "root" }, "scopes", "Choose at least one scope"],
    ["an unknown scope", { preset: "choose", scopes: ["*", "root"] }, "scopes", "one of"],
    ["no date", { expires: "date", expires_at: "" }, "expires_at", "Choose a date"],
    ["a date that is over", { expires: "date", expires_at: "2020-01-01" }, "expires_at", "Must be in the future"],
    ["an unknown end", { expires: "9999" }, "expires", "Choose one of these"],
    ["a name that is too long", { name: "x".repeat(300) }, "name", "200"],
    ["an external id that is too long", { external_id: "x".repeat(300) }, "external_id", "1 to 255 characters"],
  ])("%s is refused next to its field, and everything else is kept", async (_, fields, field, problem) => {
    const { status, html } = await visitor.post("/keys", { name: "kept", expires: "30", ...fields });
    expect([status, problemAt(html, field)]).toEqual([400, expect.stringContaining(problem)]);
    expect(html).toContain(`<a href="#${field}">`);
    const { name = "kept", expires = "30" } = fields;
    expect(html).toMatch(new RegExp(`name="name"[^>]* value="${name}"`));
    if (field !== "expires") expect(html).toContain(`<option value="${expires}" selected>`);
    expect(html).not.toContain("Save the key now");
  });
});

describe("the list of API keys", () => {
  it("a key is listed with what it may do, for whom, its last use and its end", async () => {
    const { id: workspace_id } = (await service.store.workspaces.byName("sandbox"))!;
    const store = async (name: string, permissions: object) => {
      const { hash, prefix } = newApiKey();
      const key = { id: newId("key"), workspace_id, name, prefix, hash, ...permissions };
      return (await service.store.keys.create(key)).id;
    };
    await store("row-old", { scopes: ["logs:read"], expires_at: "2020-01-01T00:00:00.000Z", external_id: "u-1" });
    await store("row-agent", { scopes: ["connections:read", "mcp", "unified:read"], connection_ids: ["conn_9"] });
    const id = await store("row-used", { expires_at: "2099-01-01T00:00:00.000Z" });
    await service.store.keys.used([{ id, at: new Date().toISOString() }]);
    const { html } = await visitor.get("/keys");
    const row = (name: string) =>
      new RegExp(`<tr[^>]*>(?:(?!<tr)[\\s\\S])*${name}[\\s\\S]*?</tr>`)
        .exec(html)![0]
        .replace(/<[^>]+>/g, " ")
        .replace(/\s+/g, " ");
    expect(row("row-old")).toMatch(/logs:read .*Only for the user u-1 .*Never used .*Expired .*days ago/);
    expect(row("row-agent")).toMatch(/Agent connections:read, mcp, unified:read .*Only for conn_9 .*Never used Never/);
    expect(row("row-used")).toMatch(/Everything \d+ s ago in \d+ days/);
    expect(row("row-used")).not.toContain("Expired");
  });
});

/** Somebody who is signed in with a key like this. */
async function signInWith(key: object): Promise<Visitor> {
  const { api_key } = (await platform("POST", "/v1/api-keys", key)).body;
  const own = new Visitor(service);
  expect((await own.post("/sign-in", { api_key })).status).toBe(303);
  await own.get("/keys");
  return own;
}

describe("keys that are created by somebody who has less than everything", () => {
  it("a key may outlive the session in which it is created", async () => {
    const own = await signInWith({ name: "opens" });
    expect(await create({ name: "lasting" }, own)).toMatchObject({ expires_at: null });
  });

  it("a key may not outlive the key that opened the session, and nothing longer is offered", async () => {
    const expires_at = new Date(Date.now() + 60 * DAY_MS).toISOString();
    const own = await signInWith({ expires_at });
    const { html } = await own.get("/keys");
    const offered = /<select id="expires"[\s\S]*?<\/select>/.exec(html)![0].matchAll(/<option value="(\w*)"/g);
    expect([...offered].map(([, value]) => value)).toEqual(["own", "30", "date"]);
    expect(await create({ expires: "own" }, own)).toMatchObject({ expires_at });
    const refused = await own.post("/keys", { expires: "90" });
    expect(refused.status).toBe(403);
    expect(refused.html).toMatch(/a key cannot create a stronger one: expires_at: .*Nothing was changed/);
  });

  it.each<[Scope[], string[], string[]]>([
    [["keys:write", "logs:read"], ["choose"], ["logs:read", "keys:read", "keys:write"]],
    [
      [...roleScopes.viewer, "unified:read", "mcp"],
      ["agent", "read", "choose"],
      [
        "unified:read",
        "mcp",
        "connections:read",
        "events:read",
        "integrations:read",
        "providers:read",
        "workspace:read",
        "logs:read",
        "keys:read",
      ],
    ],
  ])("somebody with %j is offered what they have, and no more", (scopes, presets, boxes) => {
    const html = toText(keyFields({ caller: { scopes } }));
    const values = (type: string) =>
      [...html.matchAll(new RegExp(`type="${type}"[^>]* value="([\\w:]+)"`, "g"))].map(([, value]) => value);
    expect(values("radio")).toEqual(presets);
    expect(values("checkbox")).toEqual(boxes);
    expect(checked(html)).toEqual([presets[0]]);
  });
});
