// A key or password that the provider keeps refusing makes its connection invalid, until the user connects again.
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createStrictPlatform, type StrictPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";
import { answerJson, BASE_PATH, type Connected, connectTo, startUpstream, type Upstream } from "../support/upstream.ts";
import { HOUR, type ScriptedService, startScriptedService } from "./support/scripted-service.ts";
import { scripted } from "./support/toy-providers.ts";

let service: TestService;
let upstream: Upstream;
beforeAll(async () => {
  upstream = await startUpstream();
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true", RATE_LIMIT: "10000/60" } });
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});

/** Of the manifest's `check`. */
const CHECK_PATH = `${BASE_PATH}/user`;
const refuse = () => upstream.answer((_, response) => response.writeHead(401).end('{"message":"Bad credentials"}'));
const accept = () => upstream.answer(answerJson("[]"));

const get = (path: string) => (headers: Record<string, string>) =>
  fetch(service.url + path, { headers }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });
const post = (path: string, body: object) => (headers: Record<string, string>) =>
  fetch(service.url + path, {
    method: "POST",
    headers: { ...headers, "content-type": "application/json", accept: "application/json, text/event-stream" },
    body: JSON.stringify(body),
  }).then(async (response) => {
    await response.arrayBuffer();
    return response.status;
  });
const listRepositories = { name: "git_list_repositories", arguments: {} };
const toolCall = { jsonrpc: "2.0", id: 1, method: "tools/call", params: listRepositories };
/** With the status that each has for an invalid connection. A tool call always has 200. */
const surfaces: [string, number, (headers: Record<string, string>) => Promise<number>][] = [
  ["Unified", 404, get("/unified/v1/git/repos")],
  ["the Proxy", 400, get("/proxy/issues")],
  ["MCP", 400, post("/mcp", { jsonrpc: "2.0", id: 1, method: "ping" })],
  ["Unified MCP", 200, post("/unified/v1/mcp", toolCall)],
];

describe.each(surfaces)("over %s", (name, statusIfInvalid, call) => {
  let connected: Connected;
  let platform: StrictPlatform;
  const stored = () => platform("GET", `/connections/${connected.connection}`);
  beforeEach(async () => {
    connected = await connectTo(service, upstream.url, { mcp_url: `${upstream.url}/mcp` });
    platform = createStrictPlatform(service, connected.key);
  });

  it(`a key that the provider refuses three times in a row over ${name} makes its connection invalid until the user connects again`, async () => {
    refuse();
    for (let calls = 0; calls < 2; calls++) await call(connected.headers);
    expect(await stored()).toMatchObject({ is_valid: true, invalid_reason: null });
    await call(connected.headers);
    expect(await stored()).toMatchObject({
      is_valid: false,
      invalid_reason: expect.stringMatching(/refused the credentials.*3 times in a row/),
    });
    expect(service.logs()).toMatch(new RegExp(`"connection_id":"${connected.connection}".*became invalid`));
    accept();
    const asked = upstream.seen.length;
    expect(await call(connected.headers)).toBe(statusIfInvalid);
    expect(upstream.seen).toHaveLength(asked);
    await service.store.connections.update(connected.connection, { is_valid: true, invalid_reason: null });
    await service.parts.coordination.invalidate("connection", connected.connection);
    expect(await call(connected.headers)).toBe(200);
    expect(upstream.seen).toHaveLength(asked + 1);
  });

  it(`a key that the provider's API accepts stays valid however often other answers over ${name} are 401`, async () => {
    upstream.seen.length = 0;
    // The call that tells whether the credentials are valid, and nothing else, succeeds.
    upstream.answer((request, response) => response.writeHead(request.url === CHECK_PATH ? 200 : 401).end("{}"));
    for (let calls = 0; calls < 9; calls++) await call(connected.headers);
    expect(await stored()).toMatchObject({ is_valid: true, invalid_reason: null });
    expect(upstream.seen.filter(({ url }) => url === CHECK_PATH)).toHaveLength(1);
  });

  it(`refusals over ${name} that are not in a row, and other errors, leave the connection valid`, async () => {
    for (let rounds = 0; rounds < 3; rounds++) {
      refuse();
      await call(connected.headers);
      await call(connected.headers);
      accept();
      await call(connected.headers);
    }
    upstream.answer((_, response) => response.writeHead(403).end("{}"));
    for (let calls = 0; calls < 5; calls++) await call(connected.headers);
    expect(await stored()).toMatchObject({ is_valid: true, invalid_reason: null });
  });

  it(`a call over ${name} needs no database query, whether it is refused or accepted`, async () => {
    accept();
    await call(connected.headers);
    await service.parts.requestLog.flush();
    // The request log is written later, in batches, and does not count.
    const write = vi.spyOn(service.store.requestLog, "write").mockResolvedValue();
    const before = service.store.statements;
    await call(connected.headers);
    refuse();
    await call(connected.headers);
    await call(connected.headers);
    accept();
    await call(connected.headers);
    expect(service.store.statements - before).toBe(0);
    write.mockRestore();
  });
});

it("refusals that a provider reports with status 200 count, and such an answer through the Proxy is no success", async () => {
  const connected = await connectTo(service, upstream.url, { identifier: "slack", base_url: "sandbox" });
  const platform = createStrictPlatform(service, connected.key);
  const unified = () => get("/unified/v1/chat/users")(connected.headers);
  // The emulated provider refuses the made-up token, as the real one does: {"ok":false,"error":"invalid_auth"}.
  for (let calls = 0; calls < 2; calls++) expect(await unified()).toBe(401);
  expect(await get("/proxy/auth.test")(connected.headers)).toBe(200);
  expect(await unified()).toBe(401);
  expect((await platform("GET", `/connections/${connected.connection}`)).is_valid).toBe(false);
});

describe("tokens that can be refreshed", () => {
  const provider = scripted("usual");
  let setup: ScriptedService;
  beforeAll(async () => {
    setup = await startScriptedService([provider]);
  });
  afterAll(() => setup?.close());
  beforeEach(() => setup.provider.reset());

  it("a refused token that can be refreshed is not counted as a refused key", async () => {
    setup.provider.onToken(() => {
      const answer = setup.provider.grant();
      setup.provider.acceptedTokens.clear();
      return answer;
    });
    const connection = await setup.addConnection(provider, HOUR);
    setup.provider.acceptedTokens.clear();
    for (let calls = 0; calls < 5; calls++) expect((await connection.call()).status).toBe(401);
    expect((await connection.stored())?.is_valid).toBe(true);
  });

  it.each([
    ["refused", 400, { error: "invalid_grant", error_description: "revoked by the user" }, "revoked by the user"],
    ["failed", 500, {}, "answered 500"],
  ])(
    "the log line about a refresh that %s names the connection and the reason",
    async (outcome, status, body, reason) => {
      setup.provider.onToken(() => ({ status, body }));
      const connection = await setup.addConnection(provider, -1000);
      await connection.call();
      const line = setup.service
        .logs()
        .split("\n")
        .find((candidate) => candidate.includes("token refresh failed") && candidate.includes(connection.id));
      expect(JSON.parse(line!)).toMatchObject({
        level: "warn",
        provider: "usual",
        outcome,
        connection_id: connection.id,
        workspace_id: expect.stringMatching(/^ws_/),
        reason: expect.stringContaining(reason),
      });
      expect(line).not.toContain("refresh-0");
    },
  );
});
