// Per-account values of a connection: asked for, found out, or refused. With providers made up for the purpose.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crm } from "../src/categories/crm.ts";
import type { Emulator } from "../src/contracts/emulator.ts";
import type { Manifest } from "../src/contracts/manifest.ts";
import type { Provider } from "../src/contracts/provider.ts";
import { emulate, reply } from "../src/provider-kit/emulator.ts";
import { implement, list } from "../src/provider-kit/implement.ts";
import { get } from "../src/provider-kit/request.ts";
import { createPlatform, type Platform } from "./support/platform.ts";
import { startService, type TestService } from "./support/service.ts";

const contacts = implement(crm, {
  listContacts: list({
    maxPageSize: 100,
    items: (body: { contacts: { id: string }[] }) => body.contacts,
    next: () => null,
    request: () => get("/contacts"),
    record: ({ id }) => ({ id, name: id, email: null }),
  }),
});

const subdomain = {
  label: "Subdomain",
  hint: "The first part of your address",
  placeholder: "acme",
  pattern: "[a-z][a-z0-9-]*",
};

/** Has an account's own address, and takes a user name. */
const tenanted: Manifest = {
  id: "tenanted",
  name: "Tenanted",
  docs: "https://tenanted.example/docs",
  addresses: { api: "https://{subdomain}.tenanted.example" },
  settings: { subdomain },
  auth: { basic: { username: "E-mail", password: "Token", help: "https://tenanted.example" } },
  check: get("/me"),
};

/** Tells an account's region when it is asked. */
const talkative: Manifest = {
  id: "talkative",
  name: "Talkative",
  docs: "https://talkative.example/docs",
  addresses: { api: "https://{region}.talkative.example", directory: "https://directory.talkative.example" },
  settings: { region: { label: "Region", pattern: "[a-z]{2}", askedWith: [] } },
  auth: { api_key: { label: "Key", help: "https://talkative.example" } },
  check: get("/me"),
  discover: async (upstream) => {
    const { body } = await upstream<{ region: string }>({ ...get("/region"), to: "directory" });
    return { region: body.region };
  },
};

const ownServer: Manifest = {
  ...tenanted,
  id: "own-server",
  name: "Own server",
  addresses: { api: "https://own-server.example" },
  settings: {},
  selfHostedOnly: true,
};

const emulator = emulate<null>({
  state: () => null,
  settings: { subdomain: "acme", region: "eu" },
  routes: {
    "GET /me": () => reply(200, {}),
    "GET /region": () => reply(200, { region: "eu" }),
    "GET /contacts": () => reply(200, { contacts: [{ id: "one" }] }),
  },
  failure: (status) => reply(status, { message: `status ${status}` }),
});

const manifests = [tenanted, talkative, ownServer];
let service: TestService;
let call: Platform;
const integrations: Record<string, string> = {};
beforeAll(async () => {
  service = await startService({
    catalogue: {
      providers: manifests.map((manifest): Provider => ({ manifest, categories: [contacts] })),
      loadEmulators: async () => Object.fromEntries(manifests.map(({ id }): [string, Emulator] => [id, emulator])),
    },
  });
  call = createPlatform(service, await service.createWorkspace("mine"));
  for (const { id, auth } of [tenanted, talkative]) {
    const body = { identifier: id, type: Object.keys(auth)[0], base_url: "sandbox" };
    integrations[id] = (await call("POST", "/v1/integrations", body)).body.id;
  }
});
afterAll(() => service?.close());

const connect = (provider: Manifest, body: object) =>
  call("POST", "/v1/connections", { integration_id: integrations[provider.id], ...body });
const login = { username: "me@example.com", password: "made up" };
const stored = (id: string) => service.store.connections.load(id).then((found) => found!.connection);

describe("settings that the user knows", () => {
  it("are named when they are missing, with an example and where to find them", async () => {
    expect(await connect(tenanted, login)).toMatchObject({
      status: 400,
      body: {
        errors: { settings: ["subdomain: Required: Subdomain, such as acme (The first part of your address)"] },
      },
    });
  });

  it.each(["", "1acme", "acme.evil.example/", "acme/..", "a b", "ACME", "acme\n", "x".repeat(501)])(
    "are refused where they do not match: %j",
    async (value) => {
      const answer = await connect(tenanted, { ...login, settings: { subdomain: value } });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ["settings"]]);
    },
  );

  it("are refused by name where there is none such, with everything else that is wrong", async () => {
    const settings = { subdomain: "1", region: "eu", constructor: "x" };
    const answer = await connect(tenanted, { auth_token: "x", settings });
    expect(Object.keys(answer.body.errors).sort()).toEqual(["auth_token", "password", "settings", "username"]);
    expect(answer.body.errors.settings).toEqual([
      expect.stringMatching(/^subdomain: Must be: Subdomain/),
      expect.stringMatching(/^region: Unknown setting; known settings: subdomain/),
      expect.stringMatching(/^constructor: Unknown setting/),
    ]);
  });

  it("are kept with the connection, and a user name with its password", async () => {
    const answer = await connect(tenanted, { ...login, settings: { subdomain: "acme" } });
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain(login.username);
    expect(await stored(answer.body.id)).toMatchObject({ settings: { subdomain: "acme" }, credentials: login });
  });

  it("take an empty password, but no user name with a colon", async () => {
    const settings = { subdomain: "acme" };
    expect((await connect(tenanted, { username: "key", password: "", settings })).status).toBe(201);
    expect((await connect(tenanted, { username: "a:b", password: "", settings })).body.errors).toEqual({
      username: [expect.stringContaining("without a colon")],
    });
  });
});

describe("settings that the provider tells", () => {
  it("are found out when they are not given", async () => {
    const { token } = service.sandbox.credentials(talkative.id, "api_key").credentials;
    const answer = await connect(talkative, { auth_token: token });
    expect(answer.status).toBe(201);
    expect(await stored(answer.body.id)).toMatchObject({ settings: { region: "eu" } });
  });

  it("can be given instead, and then nobody is asked", async () => {
    const answer = await connect(talkative, { auth_token: "unknown-to-the-provider", settings: { region: "us" } });
    expect(answer.status).toBe(201);
    expect(await stored(answer.body.id)).toMatchObject({ settings: { region: "us" } });
  });

  it("are asked of the user where the provider does not tell", async () => {
    await fetch(`${service.url}/sandbox/_faults`, {
      method: "POST",
      body: JSON.stringify({ provider: talkative.id, status: 403, times: 5 }),
    });
    const answer = await connect(talkative, { auth_token: "made-up" });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: { settings: [expect.stringContaining("could not be looked up")] } },
    });
    expect(answer.text).not.toContain("made-up");
  });
});

it("a provider without a hosted edition needs a base_url, also after a change", async () => {
  const body = { identifier: ownServer.id, type: "basic" };
  expect((await call("POST", "/v1/integrations", body)).body.errors).toEqual({
    base_url: ["Required: Own server is self-hosted"],
  });
  const made = await call("POST", "/v1/integrations", { ...body, base_url: "sandbox" });
  expect(made.status).toBe(201);
  expect((await call("PATCH", `/v1/integrations/${made.body.id}`, { base_url: null })).body.errors).toEqual({
    base_url: ["Required: Own server is self-hosted"],
  });
});
