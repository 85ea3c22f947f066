import { Readable } from "node:stream";
import { beforeEach, expect, it, vi } from "vitest";
import { testConnection } from "../../test/support/engine-parts.ts";
import { Fault } from "../contracts/fault.ts";
import { createForwarder, type ForwardRequest } from "./forward.ts";
import { createCallWithRetries } from "./http/attempts.ts";
import { Cancellation } from "./http/cancellation.ts";
import { confine } from "./http/confined-path.ts";

const telemetry = { upstream: vi.fn(), malformed: vi.fn(), skipped: vi.fn(), refresh: vi.fn(), warn: vi.fn() };
const tokens = {
  noteStatus: vi.fn(),
  isRefreshable: vi.fn(),
  isRefusedByApi: vi.fn(),
  refreshRefusedToken: vi.fn(),
  refusedAgain: vi.fn(),
};
/** Requests as they were sent, with their bodies. */
let sent: { origin: string; path: string; headers: Record<string, string>; body: string }[];
let statuses: number[];
/** Responses that were read or dropped. */
let consumed: number;

const transport = {
  async stream(request: any) {
    const chunks: Buffer[] = [];
    for await (const chunk of Buffer.isBuffer(request.body) ? [request.body] : (request.body ?? [])) chunks.push(chunk);
    const pairs = Array.from({ length: request.headers.length / 2 }, (_, index) => index * 2);
    const headers = Object.fromEntries(pairs.map((at) => [request.headers[at], request.headers[at + 1]]));
    sent.push({ origin: request.origin, path: request.path, headers, body: Buffer.concat(chunks).toString() });
    return {
      statusCode: statuses[Math.min(sent.length, statuses.length) - 1]!,
      headers: {},
      pipeTo(writer: { end(): void }) {
        consumed++;
        writer.end();
        return { resume() {}, cancel() {} };
      },
    };
  },
  countStreamedBytes() {},
};
const forward = createForwarder(
  transport as never,
  createCallWithRetries({ firstMs: 1000, retryMs: 1000 }, telemetry),
  tokens as never,
);

const mcp = { addresses: { api: "https://api.acme.example/v1", mcp: "https://mcp.acme.example/" } };
const connection = testConnection({ manifest: { ...mcp, headers: { "Acme-Version": "7" } } });
const refreshed = testConnection({ record: { credentials: { token: "fresh" } } });
const request = (change: Partial<ForwardRequest> = {}): ForwardRequest => ({
  connection,
  to: "api",
  method: "GET",
  path: confine("/things"),
  query: undefined,
  headers: {},
  ownPrefix: "svc-",
  body: undefined,
  maxRetries: 0,
  client: new Cancellation(),
  ...change,
});

beforeEach(() => {
  vi.resetAllMocks();
  sent = [];
  statuses = [200];
  consumed = 0;
});

it("a request goes to the address below the provider's own, with its query, and with the credentials over the client's", async () => {
  const headers = { authorization: "Bearer mine", "x-own": "1", "svc-max-retries": "1", "content-length": "5" };
  expect(await forward(request({ query: "a=1&b", headers }))).toMatchObject({ status: 200 });
  expect(sent[0]).toMatchObject({ origin: "https://api.acme.example", path: "/v1/things?a=1&b" });
  expect(sent[0]!.headers).toEqual({
    authorization: "Bearer secret",
    "x-own": "1",
    "acme-version": "7",
    "user-agent": "plugboard",
    accept: "application/json",
  });
});

it("credentials in the query replace the client's parameters of the same name, however they are written", async () => {
  const inQuery = testConnection({ manifest: { authorization: () => ({ query: { api_key: "s&cret" } }) } });
  await forward(request({ connection: inQuery, query: "a=1&API%5Fkey=mine&api_key&%zz=2" }));
  expect(sent[0]!.path).toBe("/v1/things?a=1&%zz=2&api_key=s%26cret");
});

it("an MCP server gets the credentials, and no headers that are meant for the API", async () => {
  await forward(request({ to: "mcp", path: confine("") }));
  expect(sent[0]).toMatchObject({ origin: "https://mcp.acme.example", path: "/" });
  expect(sent[0]!.headers).toEqual({ authorization: "Bearer secret" });
});

it("only a request without a body that changes nothing is retried", async () => {
  statuses = [503, 200];
  expect((await forward(request({ maxRetries: 1 }))).status).toBe(200);
  sent = [];
  expect((await forward(request({ maxRetries: 1, method: "POST" }))).status).toBe(503);
  sent = [];
  expect((await forward(request({ maxRetries: 1, body: Readable.from([Buffer.from("x")]) }))).status).toBe(503);
});

it("a refused token is refreshed once, and the request is sent again with its body", async () => {
  statuses = [401, 200];
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(refreshed);
  const body = Readable.from([Buffer.from("one "), Buffer.from("two")]);
  expect((await forward(request({ method: "POST", body }))).status).toBe(200);
  expect(sent.map(({ headers, body }) => [headers.authorization, body])).toEqual([
    ["Bearer secret", "one two"],
    ["Bearer fresh", "one two"],
  ]);
  expect(tokens.isRefusedByApi).not.toHaveBeenCalled();
  expect(tokens.refusedAgain).not.toHaveBeenCalled();
  expect(consumed).toBe(1);
});

it("a body that is too large to be kept is not sent again, and the token is refreshed for the next request", async () => {
  statuses = [401, 200];
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(refreshed);
  const body = Readable.from([Buffer.alloc(70_000)]);
  expect((await forward(request({ method: "POST", body }))).status).toBe(401);
  expect(tokens.refreshRefusedToken).toHaveBeenCalledOnce();
  expect([sent.length, consumed]).toEqual([1, 0]);
});

it("a refreshed token that is refused as well is noted, and the provider's answer is returned", async () => {
  statuses = [401];
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(refreshed);
  expect((await forward(request())).status).toBe(401);
  expect(tokens.refusedAgain.mock.calls).toEqual([[refreshed]]);
});

it("a request that finds out that the user has to connect again says so, and drops the provider's answer", async () => {
  statuses = [401];
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockRejectedValue(new Fault("refresh_failed", "connect again"));
  await expect(forward(request())).rejects.toMatchObject({ kind: "refresh_failed" });
  expect(consumed).toBe(1);
});

it("a token that an MCP server refuses is refreshed only if the provider's API refuses it too", async () => {
  statuses = [401, 401, 200];
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(testConnection({ manifest: mcp }));
  tokens.isRefusedByApi.mockResolvedValueOnce(false).mockResolvedValueOnce(true);
  expect((await forward(request({ to: "mcp", path: confine("") }))).status).toBe(401);
  expect(tokens.refreshRefusedToken).not.toHaveBeenCalled();
  expect((await forward(request({ to: "mcp", path: confine("") }))).status).toBe(200);
  expect(tokens.refreshRefusedToken).toHaveBeenCalledOnce();
});

it("a status is noted for its connection, unless only the body could show that a 200 is a refusal", async () => {
  const silent = testConnection({ manifest: { ...mcp, refusesWithSuccess: true } });
  await forward(request());
  await forward(request({ connection: silent }));
  statuses = [401];
  await forward(request({ connection: silent }));
  expect(tokens.noteStatus.mock.calls).toEqual([
    [connection, 200],
    [silent, 401],
  ]);
});
