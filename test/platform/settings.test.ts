// Settings of a connection: given by the user, discovered, or refused. With made-up providers.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { crm } from "../../src/categories/crm.ts";
import type { Emulator } from "../../src/contracts/emulator.ts";
import type { Manifest } from "../../src/contracts/manifest.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import { emulate, reply } from "../../src/emulator-kit/emulator.ts";
import { toContact } from "../../src/provider-kit/contact.ts";
import { implement, list } from "../../src/provider-kit/implement.ts";
import { get } from "../../src/provider-kit/request.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

const contacts = implement(crm, {
  listContacts: list({
    maxPageSize: 100,
    items: (body: { contacts: { id: string }[] }) => body.contacts,
    next: () => null,
    request: () => get("/contacts"),
    record: ({ id }) => toContact({ id, email: null }),
  }),
});

const subdomain = {
  label: "Subdomain",
  hint: "The first part of your address",
  placeholder: "acme",
  pattern: "[a-z][a-z0-9-]*",
};

/** Its address depends on the account, and it takes a user name. */
const tenanted: Manifest = {
  id: "tenanted",
  name: "Tenanted",
  docs: "https://tenanted.example/docs",
  addresses: { api: "https://{subdomain}.tenanted.example" },
  settings: { subdomain },
  auth: { basic: { username: "E-mail", password: "Token", help: "https://tenanted.example" } },
  check: get("/me"),
};

/** Its API returns the account's region. */
const discoverable: Manifest = {
  id: "discoverable",
  name: "Discoverable",
  docs: "https://discoverable.example/docs",
  addresses: { api: "https://{region}.discoverable.example", directory: "https://directory.discoverable.example" },
  settings: { region: { label: "Region", pattern: "[a-z]{2}", askedWith: [] } },
  auth: { api_key: { label: "Key", help: "https://discoverable.example" } },
  check: get("/me"),
  discover: async (upstream) => {
    const { body } = await upstream<{ region: string }>({ ...get("/region"), to: "directory" });
    return { region: body.region };
  },
};

const selfHosted: Manifest = {
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

const manifests = [tenanted, discoverable, selfHosted];
let service: TestService;
let call: Platform;
const integrations: Record<string, string> = {};
beforeAll(async () => {
  service = await startService({
    catalogue: {
      providers: manifests.map((manifest): Provider => ({ manifest, categories: [contacts] })),
      emulators: Object.fromEntries(manifests.map(({ id }): [string, Emulator] => [id, emulator])),
    },
  });
  call = createPlatform(service, await service.createWorkspace("mine"));
  for (const { id, auth } of [tenanted, discoverable]) {
    const body = { identifier: id, type: Object.keys(auth)[0], base_url: "sandbox" };
    integrations[id] = (await call("POST", "/v1/integrations", body)).body.id;
  }
});
afterAll(() => service?.close());

const connect = (provider: Manifest, body: object) =>
  call("POST", "/v1/connections", { integration_id: integrations[provider.id], ...body });
const login = { username: "me@example.com", password: "made up" };
const stored = (id: string) => service.store.connections.load(id).then((found) => found!.connection);

describe("settings that the user gives", () => {
  it("a missing setting is named, with an example and where to find it", async () => {
    expect(await connect(tenanted, login)).toMatchObject({
      status: 400,
      body: {
        errors: { settings: ["subdomain: Required: Subdomain, such as acme (The first part of your address)"] },
      },
    });
  });

  it.each(["", "1acme", "acme.evil.example/", "acme/..", "a b", "ACME", "acme\n", "x".repeat(501)])(
    "the setting %j is refused because it does not match its pattern",
    async (value) => {
      const answer = await connect(tenanted, { ...login, settings: { subdomain: value } });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([400, ["settings"]]);
    },
  );

  it("an unknown setting is refused by name, together with every other error", async () => {
    const settings = { subdomain: "1", region: "eu", constructor: "x" };
    const answer = await connect(tenanted, { auth_token: "x", settings });
    expect(Object.keys(answer.body.errors).sort()).toEqual(["auth_token", "password", "settings", "username"]);
    expect(answer.body.errors.settings).toEqual([
      expect.stringMatching(/^subdomain: Must be: Subdomain/),
      expect.stringMatching(/^region: Unknown setting; known settings: subdomain/),
      expect.stringMatching(/^constructor: Unknown setting/),
    ]);
  });

  it("settings are stored with the connection, and a user name with its password", async () => {
    const answer = await connect(tenanted, { ...login, settings: { subdomain: "acme" } });
    expect(answer.status).toBe(201);
    expect(answer.text).not.toContain(login.username);
    expect(await stored(answer.body.id)).toMatchObject({ settings: { subdomain: "acme" }, credentials: login });
  });

  it("an empty password is accepted, and a user name with a colon is refused", async () => {
    const settings = { subdomain: "acme" };
    expect((await connect(tenanted, { username: "key", password: "", settings })).status).toBe(201);
    expect((await connect(tenanted, { username: "a:b", password: "", settings })).body.errors).toEqual({
      username: [expect.stringContaining("without a colon")],
    });
  });
});

describe("settings that are discovered", () => {
  it("a setting that is not given is read from the provider", async () => {
    const { token } = service.sandbox.credentials(discoverable.id, "api_key").credentials;
    const answer = await connect(discoverable, { auth_token: token });
    expect(answer.status).toBe(201);
    expect(await stored(answer.body.id)).toMatchObject({ settings: { region: "eu" } });
  });

  it("a setting that is given is not read from the provider", async () => {
    const answer = await connect(discoverable, { auth_token: "unknown-to-the-provider", settings: { region: "us" } });
    expect(answer.status).toBe(201);
    expect(await stored(answer.body.id)).toMatchObject({ settings: { region: "us" } });
  });

  it("a setting that the provider does not return is required from the user", async () => {
    await injectFault(service, { provider: discoverable.id, status: 403, times: 5 });
    const answer = await connect(discoverable, { auth_token: "made-up" });
    expect(answer).toMatchObject({
      status: 400,
      body: { errors: { settings: [expect.stringContaining("could not be looked up")] } },
    });
    expect(answer.text).not.toContain("made-up");
  });
});

it("a provider that is only self-hosted requires a base_url, also when an integration is changed", async () => {
  const body = { identifier: selfHosted.id, type: "basic" };
  expect((await call("POST", "/v1/integrations", body)).body.errors).toEqual({
    base_url: ["Required: Own server is self-hosted"],
  });
  const made = await call("POST", "/v1/integrations", { ...body, base_url: "sandbox" });
  expect(made.status).toBe(201);
  expect((await call("PATCH", `/v1/integrations/${made.body.id}`, { base_url: null })).body.errors).toEqual({
    base_url: ["Required: Own server is self-hosted"],
  });
});
