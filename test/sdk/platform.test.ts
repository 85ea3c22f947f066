// Every method of `pb.platform`, over real HTTP, against a running service.
import { afterAll, beforeAll, expect, it } from "vitest";
import { ConflictError, InvalidRequestError, NotFoundError, Plugboard } from "../../sdk/src/index.ts";
import { startService, type TestService } from "../support/service.ts";
import { methodsOf } from "./methods.ts";

let service: TestService;
let pb: Plugboard;
beforeAll(async () => {
  service = await startService({ env: { LOG_LEVEL: "error" } });
  const apiKey = await service.createWorkspace("sdk");
  pb = new Plugboard({ apiKey, baseUrl: service.url });
});
afterAll(() => service?.close());

it("integrations and connections are created, read, listed, changed and deleted by the SDK", async () => {
  const { platform } = pb;
  const integration = await platform.integrations.create({
    identifier: "github",
    type: "api_key",
    base_url: "sandbox",
  });
  expect(await platform.integrations.get(integration.id)).toEqual(integration);
  expect((await platform.integrations.update(integration.id, { base_url: null })).identifier).toBe("github");
  await platform.integrations.update(integration.id, { base_url: "sandbox" });
  expect((await platform.integrations.list()).data.map(({ id }) => id)).toEqual([integration.id]);

  const { token } = service.sandbox.credentials("github", "api_key").credentials;
  const created = [];
  for (const external_id of ["user_1", "user_2", "user_3"])
    created.push(
      await platform.connections.create({ integration_id: integration.id, auth_token: token!, external_id }),
    );
  // Three entries in pages of two.
  const listed = await platform.connections.list({ limit: 2 }).toArray();
  expect(listed.map(({ external_id }) => external_id)).toEqual(["user_1", "user_2", "user_3"]);
  expect((await platform.connections.list({ external_id: "user_2" })).data.map(({ id }) => id)).toEqual([
    created[1]!.id,
  ]);
  expect((await pb.connection(created[0]!.id).me()).name).toEqual(expect.any(String));

  const connection = await platform.connections.update(created[0]!.id, { external_id: "user_4" });
  expect((await platform.connections.get(connection.id)).external_id).toBe("user_4");
  expect(await platform.connections.delete(connection.id)).toEqual({ success: true });
  await expect(platform.connections.get(connection.id)).rejects.toThrow(NotFoundError);
  expect(await platform.integrations.delete(integration.id)).toEqual({ success: true });
});

it("keys, the workspace, providers, the request log and the event log are read and changed by the SDK", async () => {
  const { platform } = pb;
  const key = await platform.apiKeys.create({ name: "for a test" });
  const other = new Plugboard({ apiKey: key.api_key, baseUrl: service.url });
  expect((await other.platform.apiKeys.list()).data.map(({ id }) => id)).toContain(key.id);
  expect(await platform.apiKeys.delete(key.id)).toEqual({ success: true });

  const redirect_uris = ["https://app.example/connected"];
  expect(await platform.workspace.update({ redirect_uris })).toMatchObject({ redirect_uris });
  expect((await platform.workspace.get()).redirect_uris).toEqual(redirect_uris);
  expect((await platform.providers.list()).data.map(({ id }) => id)).toContain("github");

  // Both logs are written in batches, shortly after the requests.
  await expect.poll(async () => (await platform.logs.list({ limit: 1 })).data.length).toBe(1);
  const [entry] = await platform.logs.list().toArray(1);
  expect((await platform.logs.get(entry!.id)).request_id).toBe(entry!.request_id);
  await expect
    .poll(async () => (await platform.events.list({ type: "connection.*" })).data.map(({ type }) => type))
    .toContain("connection.deleted");
});

it("events are iterated over in both directions, however many pages they have", async () => {
  const { events } = pb.platform;
  const ids = async (query: object) =>
    (await events.list({ type: "connection.*", ...query }).toArray()).map((e) => e.id);
  const oldestFirst = await ids({ limit: 100 });
  expect(oldestFirst.length).toBeGreaterThan(4);
  expect(await ids({ limit: 2 })).toEqual(oldestFirst);
  expect(await ids({ limit: 2, before: "latest" })).toEqual(oldestFirst.toReversed());
});

it("the audit log is iterated over in both directions, however many pages it has", async () => {
  const ids = async (query: object) => (await pb.platform.audit.list(query).toArray()).map(({ id }) => id);
  const newestFirst = await ids({ limit: 100 });
  expect(newestFirst.length).toBeGreaterThan(4);
  expect(await ids({ limit: 2 })).toEqual(newestFirst);
  expect(await ids({ limit: 2, after: newestFirst[4] })).toEqual(newestFirst.slice(0, 4).toReversed());
});

it("the request log is iterated over to its end, however many pages it has", async () => {
  const { logs } = pb.platform;
  const ids = async (query: object) =>
    (await logs.list({ platform_reads: false, ...query }).toArray()).map(({ id }) => id);
  await expect.poll(async () => (await ids({})).length).toBeGreaterThan(4);
  const newestFirst = await ids({ limit: 100 });
  expect(await ids({ limit: 2 })).toEqual(newestFirst);
  expect(await ids({ limit: 2, until: newestFirst[1] })).toEqual(newestFirst.slice(2));
  await expect(logs.list({ until: "yesterday" })).rejects.toThrow("until: Must be a date and time");
});

it("every method of pb.platform reaches its route: made-up values are not found or refused, by name", async () => {
  const apiKey = await service.createWorkspace("made-up values");
  const other = new Plugboard({ apiKey, baseUrl: service.url, maxRetries: 0 });
  for (const [name, method] of methodsOf(other.platform)) {
    // A value for every parameter: IDs, a body or query that is no object, and options.
    const call: Promise<unknown> = method(...Array(method.length).fill("none_1"));
    const error = await call.then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    const isExpected = error === undefined || error instanceof NotFoundError || error instanceof InvalidRequestError;
    expect(isExpected, `${name}: ${error}`).toBe(true);
  }
});

it("a provider of one's own is created, changed and deleted by the SDK", async () => {
  const { providers } = pb.platform;
  const document = {
    id: "acme",
    name: "Acme",
    docs_url: "https://docs.acme.test",
    addresses: { api: "https://api.acme.test" },
    auth: { api_key: { in: "header", name: "X-Key", label: "API key" } },
  } as const;
  expect(await providers.create(document)).toMatchObject({ id: "acme", origin: "workspace", document });
  await expect(providers.create(document)).rejects.toBeInstanceOf(ConflictError);
  expect(await providers.update("acme", { name: "Acme 2", notes: null })).toMatchObject({ name: "Acme 2" });
  expect((await providers.get("acme")).name).toBe("Acme 2");
  await providers.delete("acme");
  await expect(providers.get("acme")).rejects.toBeInstanceOf(NotFoundError);
});

it("a tool pack is created, given to a key, changed and deleted by the SDK", async () => {
  const { toolPacks, apiKeys } = pb.platform;
  const { id } = await toolPacks.create({ name: "Sales", access: "read", categories: ["crm"] });
  const key = await apiKeys.create({ tool_pack_id: id });
  expect(await toolPacks.update(id, { hide: ["crm.contact.email"] })).toMatchObject({ hide: ["crm.contact.email"] });
  expect((await toolPacks.list()).data).toEqual([await toolPacks.get(id)]);
  await expect(toolPacks.delete(id)).rejects.toBeInstanceOf(ConflictError);
  await apiKeys.delete(key.id);
  expect(await toolPacks.delete(id)).toEqual({ success: true });
});
