// Lists of the Platform API can be read to their end, however long they are.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/runtime/ids.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

const COUNT = 2_500;

describe("paging", () => {
  let service: TestService;
  let workspaceId: string;
  let platform: Platform;
  let stranger: Platform;
  const ids: string[] = [];

  const connection = (id: string, integration_identifier = "github") => ({
    id,
    workspace_id: workspaceId,
    integration_id: "int_1",
    integration_identifier,
    external_id: null,
    credentials: { token: "made-up" },
    settings: {},
    metadata: null,
    is_valid: true,
    invalid_reason: null,
    expires_at: null,
    refreshed_at: null,
  });
  const add = (identifier?: string) => service.store.connections.create(connection(newId("conn"), identifier));

  beforeAll(async () => {
    service = await startService();
    platform = createPlatform(service, await service.createWorkspace("many"));
    stranger = createPlatform(service, await service.createWorkspace("stranger"));
    workspaceId = (await platform("GET", "/v1/workspace")).body.id;
    // Many within the same microsecond, so that their order depends on their ids.
    while (ids.length < COUNT) {
      const batch = await Promise.all(
        Array.from({ length: 100 }, (_, index) => add(index % 10 === 0 ? "gitlab" : "github")),
      );
      ids.push(...batch.map(({ id }) => id));
    }
  });
  afterAll(() => service?.close());

  async function walk(path: string, afterEachPage?: () => Promise<unknown>): Promise<string[]> {
    const found: string[] = [];
    for (let after: string | undefined; ; after = found.at(-1)) {
      const separator = path.includes("?") ? "&" : "?";
      const { status, body } = await platform("GET", after ? `${path}${separator}after=${after}` : path);
      expect(status).toBe(200);
      if (body.length === 0) return found;
      found.push(...body.map(({ id }: { id: string }) => id));
      await afterEachPage?.();
    }
  }

  it("2,500 connections are listed with after, each once and in the order of offset", async () => {
    const found = await walk("/v1/connections?limit=100");
    expect(found).toHaveLength(COUNT);
    expect(new Set(found)).toEqual(new Set(ids));
    const { body } = await platform("GET", "/v1/connections?limit=100&offset=1000");
    expect(body.map(({ id }: { id: string }) => id)).toEqual(found.slice(1000, 1100));
  });

  it("with order=newest, the same connections are listed from the newest on, also with a filter of the metadata", async () => {
    const oldest = await walk("/v1/connections?limit=100");
    expect(await walk("/v1/connections?limit=100&order=newest")).toEqual(oldest.toReversed());
    const marked = [oldest[3]!, oldest[600]!, oldest[2_000]!];
    for (const id of marked) await service.store.connections.update(id, { metadata: { plan: "pro" } });
    expect(await walk("/v1/connections?limit=2&order=newest&metadata[plan]=pro")).toEqual(marked.toReversed());
    const { status, body } = await platform("GET", "/v1/connections?order=up");
    expect([status, body.errors]).toEqual([400, { order: ["Must be one of oldest, newest"] }]);
  });

  it("a filter applies to every page", async () => {
    const found = await walk("/v1/connections?limit=7&integration_identifier=gitlab");
    expect(found).toHaveLength(COUNT / 10);
    expect(new Set(found).size).toBe(COUNT / 10);
  });

  it("connections that are created and deleted during the walk cause no gaps and no duplicates", async () => {
    const added: string[] = [];
    const [removed] = await walk("/v1/connections?limit=1&integration_identifier=gitlab");
    const found = await walk("/v1/connections?limit=100", async () => {
      if (added.length < 50) added.push((await add()).id, (await add()).id);
      if (added.length === 4) await platform("DELETE", `/v1/connections/${removed}`);
    });
    expect(new Set(found).size).toBe(found.length);
    expect(ids.filter((id) => !found.includes(id))).toEqual([]);
    expect(added.filter((id) => !found.includes(id))).toEqual([]);
    for (const id of added) await service.store.connections.delete(workspaceId, id);
  });

  it("after with offset is refused by name, even with offset 0", async () => {
    for (const offset of ["0", "10"]) {
      const { status, body } = await platform("GET", `/v1/connections?after=${ids.at(-1)}&offset=${offset}`);
      expect([status, body.errors]).toEqual([400, { after: ["Cannot be combined with offset"] }]);
    }
  });

  it.each(["conn_unknown", "", "%00"])("after=%s is refused by name", async (after) => {
    const { status, body } = await platform("GET", `/v1/connections?after=${after}`);
    expect([status, Object.keys(body.errors)]).toEqual([400, ["after"]]);
  });

  it("after does not accept a connection of another workspace", async () => {
    const { status, body } = await stranger("GET", `/v1/connections?after=${ids.at(-1)}`);
    expect([status, body.errors.after]).toEqual([
      400,
      ["Unknown id: give the last one of the previous page, or an earlier one if that was deleted"],
    ]);
  });

  it("integrations and API keys have after as well", async () => {
    for (let n = 0; n < 4; n += 1) await platform("POST", "/v1/api-keys", { name: `key ${n}` });
    expect(await walk("/v1/api-keys?limit=2")).toHaveLength(5);
    const client = { type: "oauth2", client_id: "a", client_secret: "b" };
    for (const identifier of ["github", "gitlab", "bitbucket"])
      expect((await platform("POST", "/v1/integrations", { identifier, ...client })).status).toBe(201);
    expect(await walk("/v1/integrations?limit=1")).toHaveLength(3);
    for (const path of ["/v1/api-keys", "/v1/integrations"])
      expect((await platform("GET", `${path}?after=x`)).status).toBe(400);
  });
});
