import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newId } from "../../src/runtime/ids.ts";
import { testSqlite } from "../support/databases.ts";
import { newConnection, newIntegration } from "../support/entities.ts";
import { createPlatform, type Platform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

const database = testSqlite();

describe("connections and integrations of the Platform API", () => {
  let service: TestService;
  let call: Platform;
  let stranger: Platform;
  let workspaceId: string;

  beforeAll(async () => {
    service = await startService({ env: database.env });
    call = createPlatform(service, await service.createWorkspace("mine"));
    stranger = createPlatform(service, await service.createWorkspace("theirs"));
    workspaceId = (await call("GET", "/v1/workspace")).body.id;
  });
  afterAll(async () => {
    await service?.close();
  });

  const add = (fields: object = {}) =>
    service.store.connections.create(newConnection({ workspace_id: workspaceId, ...fields }));
  const ids = async (query: string) =>
    (await call("GET", `/v1/connections?${query}`)).body.map(({ id }: { id: string }) => id);

  describe("PATCH /v1/connections/{id}", () => {
    it("PATCH changes the given fields of a connection and nothing else", async () => {
      const { id } = await add({ external_id: "before", metadata: { plan: "free" }, settings: { site: "acme" } });
      const before = (await call("GET", `/v1/connections/${id}`)).body;
      expect(before).toMatchObject({ metadata: { plan: "free" }, settings: { site: "acme" } });

      const renamed = await call("PATCH", `/v1/connections/${id}`, { external_id: "after" });
      expect(renamed).toMatchObject({
        status: 200,
        body: { ...before, external_id: "after", updated_at: expect.any(String) },
      });
      const metadata = { plan: "pro", deep: { list: [1, null, "x"] }, "": false };
      expect((await call("PATCH", `/v1/connections/${id}`, { metadata })).body).toMatchObject({
        external_id: "after",
        metadata,
      });
      const cleared = await call("PATCH", `/v1/connections/${id}`, { external_id: null, metadata: null });
      expect(cleared.body).toMatchObject({ external_id: null, metadata: null, settings: { site: "acme" } });
      expect((await call("PATCH", `/v1/connections/${id}`, {})).body).toEqual(cleared.body);
      expect((await call("GET", `/v1/connections/${id}`)).body).toEqual(cleared.body);
    });

    it("PATCH refuses all other fields of a connection by name, and then changes nothing", async () => {
      const { id } = await add({ external_id: "kept" });
      const refused: [object, string[]][] = [
        [{ external_id: "", metadata: [1] }, ["external_id", "metadata"]],
        [{ external_id: "x".repeat(256) }, ["external_id"]],
        [{ external_id: "a\0b" }, ["external_id"]],
        [{ external_id: 5, metadata: "x" }, ["external_id", "metadata"]],
        [{ external_id: "new", metadata: { a: "x".repeat(17_000) } }, ["metadata"]],
        [{ external_id: "new", is_valid: true, auth_token: "x" }, ["is_valid", "auth_token"]],
      ];
      for (const [body, fields] of refused) {
        const answer = await call("PATCH", `/v1/connections/${id}`, body);
        expect(answer.status, JSON.stringify(body)).toBe(400);
        expect(Object.keys(answer.body.errors).sort()).toEqual(fields.toSorted());
      }
      expect((await call("GET", `/v1/connections/${id}`)).body).toMatchObject({ external_id: "kept", metadata: null });
    });

    it("PATCH finds no connection of another workspace, and none that does not exist", async () => {
      const { id } = await add({ external_id: "kept" });
      expect((await stranger("PATCH", `/v1/connections/${id}`, { external_id: "taken" })).status).toBe(404);
      expect((await call("PATCH", "/v1/connections/conn_nope", { external_id: "x" })).status).toBe(404);
      expect((await call("GET", `/v1/connections/${id}`)).body.external_id).toBe("kept");
    });
  });

  describe("filters of GET /v1/connections", () => {
    it("is_valid selects valid or invalid connections, and those whose credentials no key can decrypt are invalid", async () => {
      const integration_identifier = newId("int");
      const valid = await add({ integration_identifier });
      const invalid = await add({ integration_identifier, is_valid: false, invalid_reason: "invalid_grant" });
      const unreadable = await add({ integration_identifier });
      // By a process with a key that this one does not have.
      await database.run(`insert into encryption_keys values ('00000000', 'made-up', 1)`);
      await database.run(
        `update connections set credentials = 'aes256gcm.00000000.AAAA' where id = '${unreadable.id}'`,
      );

      const filter = `integration_identifier=${integration_identifier}`;
      expect(await ids(filter)).toEqual([valid.id, invalid.id, unreadable.id]);
      expect(await ids(`${filter}&is_valid=true`)).toEqual([valid.id]);
      expect(await ids(`${filter}&is_valid=false`)).toEqual([invalid.id, unreadable.id]);
      expect(await ids(`${filter}&is_valid=false&after=${invalid.id}`)).toEqual([unreadable.id]);
      const [first] = (await call("GET", `/v1/connections?${filter}&is_valid=false&limit=1`)).body;
      expect(first).toMatchObject({ is_valid: false, invalid_reason: "invalid_grant" });
    });

    it("metadata matches strings, numbers and booleans at the top level, whatever else the metadata has", async () => {
      const integration_identifier = newId("int");
      const with_ = (metadata: object | null) => add({ integration_identifier, metadata }).then(({ id }) => id);
      const text = await with_({ plan: "pro", seats: "5", note: 'a "plan":"pro" b' });
      const number = await with_({ plan: "pro", seats: 5, ratio: 0.25, "odd key]\u0000[é": "ü\ud800" });
      const flag = await with_({ active: true, plan: "free" });
      await with_({ deep: { plan: "pro", seats: 5, active: true } });
      await with_({ 'x"plan': "pro", list: ['"plan":"pro"'], seats: [5], active: null });
      await with_(null);

      const find = (...fields: [string, string][]) =>
        ids(
          `integration_identifier=${integration_identifier}&${fields
            .map(([key, value]) => `${encodeURIComponent(`metadata[${key}]`)}=${encodeURIComponent(value)}`)
            .join("&")}`,
        );
      expect(await find(["plan", "pro"])).toEqual([text, number]);
      expect(await find(["seats", "5"])).toEqual([text, number]);
      expect(await find(["plan", "pro"], ["ratio", "0.25"])).toEqual([number]);
      expect(await find(["active", "true"])).toEqual([flag]);
      expect(await find(["odd key]\u0000[é", "ü"])).toEqual([]);
      expect(await find(["note", 'a "plan":"pro" b'])).toEqual([text]);
      for (const [key, value] of [
        ["plan", "PRO"],
        ["plan", ""],
        ["plan", "%"],
        ["seats", "5.0"],
        ["active", "null"],
        ["deep", "[object Object]"],
        ["toString", "x"],
        ["", "pro"],
      ] as const)
        expect(await find([key, value]), `${key}=${value}`).toEqual([]);
    });

    it("metadata is paged by offset and by after, also if most candidates do not match", async () => {
      const integration_identifier = newId("int");
      const matching: string[] = [];
      for (let index = 0; index < 250; index += 1) {
        const isMatch = index % 50 === 0;
        const { id } = await add({
          integration_identifier,
          metadata: isMatch ? { team: "a" } : { other: { team: "a" } },
        });
        if (isMatch) matching.push(id);
      }
      const filter = `integration_identifier=${integration_identifier}&metadata[team]=a`;
      expect(await ids(filter)).toEqual(matching);
      expect(await ids(`${filter}&limit=2&offset=1`)).toEqual(matching.slice(1, 3));
      expect(await ids(`${filter}&limit=2&after=${matching[2]}`)).toEqual(matching.slice(3));
      expect(await ids(`${filter}&offset=5`)).toEqual([]);
    });

    it("an invalid filter of connections is refused by name", async () => {
      const refused: [string, string][] = [
        ["is_valid=maybe", "is_valid"],
        ["is_valid=", "is_valid"],
        ["metadata=pro", "metadata"],
        ["metadata[a]=1&metadata[a]=2", "metadata"],
        [`metadata[a]=${"x".repeat(1_001)}`, "metadata"],
        [Array.from({ length: 11 }, (_, index) => `metadata[k${index}]=1`).join("&"), "metadata"],
      ];
      for (const [query, field] of refused) {
        const answer = await call("GET", `/v1/connections?${query}`);
        expect(answer.status, query).toBe(400);
        expect(Object.keys(answer.body.errors)).toEqual([field]);
      }
    });

    it("filters never match connections of another workspace", async () => {
      await add({ metadata: { tenant: "mine" }, is_valid: false });
      expect((await stranger("GET", "/v1/connections?metadata[tenant]=mine")).body).toEqual([]);
      expect((await stranger("GET", "/v1/connections?is_valid=false")).body).toEqual([]);
    });
  });

  it("an integration shows the address that the Proxy appends paths to, and never its client secret", async () => {
    const shown = async (fields: object) => {
      const { id } = (await service.store.integrations.create(
        newIntegration({ workspace_id: workspaceId, ...fields }),
      ))!;
      const answer = await call("GET", `/v1/integrations/${id}`);
      const listed = (await call("GET", "/v1/integrations?limit=100")).body.find((item: any) => item.id === id);
      expect(listed).toEqual(answer.body);
      expect(answer.text).not.toContain("made-up-secret");
      return answer.body;
    };
    expect(await shown({ identifier: "jira" })).toMatchObject({
      proxy_base_url: "https://api.atlassian.com/ex/jira/{cloud_id}/rest/api/3",
      has_client_secret: true,
      scopes: null,
      callback_url: `${service.url}/auth/callback`,
    });
    expect(await shown({ identifier: "gitea", base_url: "https://git.example.com/" })).toMatchObject({
      base_url: "https://git.example.com/",
      proxy_base_url: "https://git.example.com/api/v1",
    });
    expect(await shown({ identifier: "slack", base_url: "sandbox" })).toMatchObject({
      proxy_base_url: `${service.url}/sandbox/slack/api`,
    });
    expect(
      await shown({ identifier: "gone", type: "api_key", client_secret: null, mcp_url: "https://mcp.example.com" }),
    ).toMatchObject({
      proxy_base_url: null,
      has_client_secret: false,
      callback_url: null,
      mcp_url: "https://mcp.example.com",
    });
  });
});
