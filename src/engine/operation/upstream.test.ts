import { beforeEach, expect, it, vi } from "vitest";
import { TIME, testConnection } from "../../../test/support/engine-parts.ts";
import { Fault } from "../../contracts/fault.ts";
import type { UpstreamRequest } from "../../contracts/upstream.ts";
import { get, graphql, post } from "../../provider-kit/request.ts";
import type { ConnectionContext } from "../connection/connection-context.ts";
import { createCallWithRetries } from "../http/attempts.ts";
import type { BufferedResponse } from "../http/buffer-response.ts";
import type { TransportRequest } from "../http/transport.ts";
import { createUpstream, type OperationRun } from "./upstream.ts";

const telemetry = { upstream: vi.fn(), malformed: vi.fn(), skipped: vi.fn(), refresh: vi.fn(), warn: vi.fn() };
const tokens = {
  noteStatus: vi.fn(),
  isRefreshable: vi.fn(() => false),
  refreshRefusedToken: vi.fn(),
  refusedAgain: vi.fn(),
};
let sent: TransportRequest[];
let answers: (Partial<BufferedResponse> & { body?: string })[];
const release = vi.fn();

const call = createUpstream(
  {
    async buffer(request) {
      sent.push(request);
      const { body = "{}", statusCode = 200, headers = {} } = answers[Math.min(sent.length, answers.length) - 1]!;
      return { statusCode, headers, bytes: Buffer.from(body), release };
    },
  },
  createCallWithRetries({ firstMs: 1000, retryMs: 1000 }, telemetry),
  tokens,
);

const runOf = (connection: ConnectionContext = testConnection()): OperationRun => ({
  connection,
  maxRetries: 0,
  repeatable: true,
  calls: 0,
  bytes: 0,
});

beforeEach(() => {
  vi.clearAllMocks();
  tokens.isRefreshable.mockReturnValue(false);
  sent = [];
  answers = [{}];
});

const redirect = (location: string, statusCode = 301) => ({ statusCode, headers: { location } });

it.each([301, 302, 307, 308])(
  "a %i to the same origin is followed with the connection's credentials",
  async (status) => {
    answers = [redirect("/v1/repositories/7?a=1", status), { body: '{"id":7}' }];
    const { body } = await call(runOf(), get("/repos/old"));
    expect(body).toEqual({ id: 7 });
    expect(sent.map(({ path }) => path)).toEqual(["/v1/repos/old", "/v1/repositories/7?a=1"]);
    expect(sent[1]!.headers.authorization).toBe("Bearer secret");
  },
);

it.each([
  "https://evil.example/v1/repos",
  "//evil.example/v1/repos",
  "http://api.acme.example/v1/repos",
  "https://api.acme.example:8443/v1/repos",
  "https://api.acme.example.evil.example/",
])("a redirect to %s is not followed: credentials never leave the origin", async (location) => {
  answers = [redirect(location), { body: "{}" }];
  await expect(call(runOf(), get("/repos/old"))).rejects.toMatchObject({ status: 301 });
  expect(sent).toHaveLength(1);
});

it("a redirect to an address that cannot be read is a malformed answer, and is counted once", async () => {
  answers = [redirect("http://[bad")];
  await expect(call(runOf(), get("/repos/old"))).rejects.toMatchObject({ kind: "upstream_malformed" });
  expect(telemetry.upstream.mock.calls.map(([, status]) => status)).toEqual(["malformed"]);
});

it.each([600, 999])("a response with status %i is malformed", async (statusCode) => {
  answers = [{ statusCode }];
  await expect(call(runOf(), get("/me"))).rejects.toMatchObject({ kind: "upstream_malformed" });
  answers = [{ statusCode: 599 }];
  await expect(call(runOf(), get("/me"))).rejects.toMatchObject({ status: 599 });
});

it("a response that the manifest's own code fails on is malformed, and not an unreachable provider", async () => {
  const failed = () => {
    throw new TypeError("Cannot read properties of null");
  };
  const connection = testConnection({ manifest: { failed } });
  await expect(call(runOf(connection), get("/me"))).rejects.toMatchObject({ kind: "upstream_malformed" });
  expect(telemetry.upstream.mock.calls.map(([, status]) => status)).toEqual(["malformed"]);
});

it("a redirect of a write is not followed", async () => {
  answers = [redirect("/v1/elsewhere", 308), {}];
  await expect(call(runOf(), post("/messages", {}))).rejects.toMatchObject({ status: 308 });
  expect(sent).toHaveLength(1);
});

it("at most three redirects are followed", async () => {
  answers = [redirect("/v1/again")];
  await expect(call(runOf(), get("/repos/old"))).rejects.toMatchObject({ status: 301 });
  expect(sent).toHaveLength(4);
});

it("a 200 whose body is not JSON is a malformed answer, and is counted as such", async () => {
  answers = [{ body: "<html>login</html>" }];
  await expect(call(runOf(), get("/me"))).rejects.toMatchObject({ kind: "upstream_malformed" });
  expect(telemetry.upstream.mock.calls.map(([, status]) => status)).toEqual(["malformed"]);
});

it("a failure may be plain text, and keeps its status, headers and bytes", async () => {
  answers = [{ statusCode: 500, headers: { "content-type": "text/plain" }, body: "sorry" }];
  await expect(call(runOf(), get("/me"))).rejects.toMatchObject({
    status: 500,
    headers: { "content-type": "text/plain" },
    body: Buffer.from("sorry"),
  });
  expect(release).not.toHaveBeenCalled();
});

it("an empty body is null, and the buffer of an answer that was parsed is released", async () => {
  answers = [{ statusCode: 204, body: "" }];
  expect((await call(runOf(), get("/me"))).body).toBeNull();
  expect(release).toHaveBeenCalledOnce();
});

it("a failure inside a 200 gets the status that the manifest finds in it", async () => {
  const connection = testConnection({ manifest: { failed: () => 404 } });
  await expect(call(runOf(connection), get("/me"))).rejects.toMatchObject({ status: 404 });
});

it("the client's own parameters go where the request says, and locked values win over them", async () => {
  const passthrough = { sort: "asc", limit: 1000 };
  await call(runOf(), get("/items", { sort: "desc" }, { limit: 5 }), passthrough);
  expect(sent[0]!.path).toBe("/v1/items?sort=asc&limit=5");
  await call(runOf(), post("/search", { sort: "desc" }, { limit: 5 }), passthrough);
  expect(JSON.parse(sent[1]!.body as string)).toEqual({ sort: "asc", limit: 5 });
  await call(runOf(), graphql("query", { sort: "desc" }, { limit: 5 }), passthrough);
  expect(JSON.parse(sent[2]!.body as string)).toEqual({ query: "query", variables: { sort: "asc", limit: 5 } });
});

it("credentials win over every other header and query parameter", async () => {
  const byHeader = { ...get("/me"), headers: { authorization: "Bearer forged", "x-kept": "1" } };
  await call(runOf(), byHeader);
  expect(sent[0]!.headers).toMatchObject({ authorization: "Bearer secret", "x-kept": "1" });
  const byQuery = testConnection({ manifest: { authorization: () => ({ query: { key: "secret" } }) } });
  await call(runOf(byQuery), get("/me", { key: "forged" }), { key: "forged" });
  expect(sent[1]!.path).toBe("/v1/me?key=secret");
});

it.each(["/../admin", "/a/%2e%2e/b", "/a/..%2fb", "/a/%252e%252e/b", "//evil.example", "relative"])(
  "a call to %s is refused before anything is sent",
  async (path) => {
    const request: UpstreamRequest = { ...get("/"), path };
    await expect(call(runOf(), request)).rejects.toMatchObject({ kind: "upstream_forbidden" });
    expect(sent).toEqual([]);
  },
);

it("a refused token is refreshed once, and the call is made again with the new one", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(
    testConnection({ record: { credentials: { token: "fresh" }, refreshed_at: TIME } }),
  );
  answers = [{ statusCode: 401 }, { body: '{"ok":true}' }];
  const run = runOf();
  expect((await call(run, get("/me"))).body).toEqual({ ok: true });
  expect(sent.map(({ headers }) => headers.authorization)).toEqual(["Bearer secret", "Bearer fresh"]);
  expect(run.connection.record.credentials.token).toBe("fresh");
  expect(run.calls).toBe(1);
});

it("a refreshed token that is refused as well is noted, and the provider's 401 is passed on", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(testConnection({ record: { credentials: { token: "fresh" } } }));
  answers = [{ statusCode: 401 }];
  await expect(call(runOf(), get("/me"))).rejects.toMatchObject({ status: 401 });
  expect(sent).toHaveLength(2);
  expect(tokens.refusedAgain).toHaveBeenCalledOnce();
});

it("a token that cannot be refreshed for now leaves the provider's own 401", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockResolvedValue(undefined);
  answers = [{ statusCode: 401, body: '{"message":"bad token"}' }];
  await expect(call(runOf(), get("/me"))).rejects.toMatchObject({ status: 401 });
  expect(sent).toHaveLength(1);
});

it("a call that finds out that the user has to connect again says so instead of the provider's 401", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  tokens.refreshRefusedToken.mockRejectedValue(new Fault("refresh_failed", "connect again"));
  answers = [{ statusCode: 401 }];
  await expect(call(runOf(), get("/me"))).rejects.toMatchObject({ kind: "refresh_failed" });
  expect(sent).toHaveLength(1);
});

it("every status is noted for its connection, as the manifest understands it", async () => {
  const noted = () => tokens.noteStatus.mock.calls.map(([{ record }, status]) => [record.id, status]);
  await call(runOf(), get("/me"));
  const connection = testConnection({ manifest: { failed: () => 401 } });
  await expect(call(runOf(connection), get("/me"))).rejects.toMatchObject({ status: 401 });
  expect(noted()).toEqual([
    ["conn_1", 200],
    ["conn_1", 401],
  ]);
});

it("only a 401 is a reason to refresh a token", async () => {
  tokens.isRefreshable.mockReturnValue(true);
  answers = [{ statusCode: 403 }];
  await expect(call(runOf(), get("/me"))).rejects.toMatchObject({ status: 403 });
  expect(tokens.refreshRefusedToken).not.toHaveBeenCalled();
});

it.each([
  ["503", { statusCode: 503 }],
  ["200 that counts as 503", { body: '{"error":"internal_error"}' }],
])("a write is not repeated after a %s, and a read that belongs to it is", async (_, failure) => {
  vi.spyOn(Math, "random").mockReturnValue(0);
  answers = [failure, {}];
  const failed = ({ body }: { body: unknown }) => ((body as { error?: string }).error ? 503 : undefined);
  const beforeSending = vi.fn(async () => {});
  const guard = { beforeSending, carriedOut: false };
  const connection = testConnection({ manifest: { failed } });
  const write: OperationRun = { ...runOf(connection), maxRetries: 1, repeatable: false, write: guard };
  await expect(call(write, post("/messages", {}))).rejects.toMatchObject({ status: 503 });
  expect(sent).toHaveLength(1);
  expect(guard.carriedOut).toBe(false);
  sent = [];
  await call(write, get("/messages/1"));
  expect(sent).toHaveLength(2);
  expect(beforeSending).toHaveBeenCalledOnce();
  vi.restoreAllMocks();
});

it("a provider's own way to ask for a wait is honored", async () => {
  const connection = testConnection({ manifest: { retryAfter: () => 60 } });
  answers = [{ statusCode: 429 }];
  // Longer than is worth waiting, so the answer is passed on immediately.
  const refused = call({ ...runOf(connection), maxRetries: 3 }, get("/me"));
  await expect(refused).rejects.toMatchObject({ status: 429, waitSeconds: 60 });
  expect(sent).toHaveLength(1);
});

it("a key in the path is sent, and goes along with the request so that no log has it", async () => {
  const authorization = ({ token }: { token?: string }) => ({ path: `/bot${token}` });
  const connection = testConnection({ manifest: { authorization }, record: { credentials: { token: "hush/hush" } } });
  await call(runOf(connection), get("/me"));
  expect(sent[0]!.path).toBe("/v1/bothush/hush/me");
  // The longest first, so that no part of one stays.
  const lengths = sent[0]!.pathSecrets!.map(({ length }) => length);
  expect(sent[0]!.pathSecrets).toEqual(expect.arrayContaining(["bothush/hush", "hush/hush", "hush%2Fhush"]));
  expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
  await call(runOf(), get("/me"));
  expect(sent[1]!.pathSecrets).toEqual([]);
});

it("parsed bodies are collected for those who want them", async () => {
  answers = [{ body: '{"a":1}' }];
  const bodies: unknown[] = [];
  await call({ ...runOf(), bodies }, get("/me"));
  expect(bodies).toEqual([{ a: 1 }]);
});
