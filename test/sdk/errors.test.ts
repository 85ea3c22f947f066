// The SDK's error classes, against the errors that the service has.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as sdk from "../../sdk/src/index.ts";
import { lineError } from "../../sdk/src/read-error.ts";
import { faultKinds } from "../../src/contracts/fault.ts";
import { renderings } from "../../src/surfaces/unified/errors.ts";
import { clearFaults, injectFault, requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

const classes: Record<string, string> = {
  unauthorized: "AuthenticationError",
  insufficient_scope: "PermissionError",
  origin_refused: "PermissionError",
  invalid_input: "InvalidRequestError",
  too_large: "InvalidRequestError",
  conflict: "InvalidRequestError",
  not_found: "NotFoundError",
  record_missing: "NotFoundError",
  connection_missing: "ConnectionNotFoundError",
  refresh_failed: "ConnectionInvalidError",
  refresh_unavailable: "ConnectionUnavailableError",
  credentials_unreadable: "ConnectionInvalidError",
  integration_missing: "IntegrationDeletedError",
  operation_unsupported: "OperationNotSupportedError",
  mcp_unsupported: "OperationNotSupportedError",
  rate_limited: "RateLimitError",
  upstream_timeout: "ProviderTimeoutError",
  upstream_unreachable: "ProviderUnreachableError",
  upstream_forbidden: "ProviderUnreachableError",
  upstream_malformed: "ProviderUnreachableError",
  idempotency_key_reused: "IdempotencyKeyReusedError",
  request_in_progress: "RequestInProgressError",
  outcome_unknown: "OutcomeUnknownError",
  overloaded: "ServiceUnavailableError",
  store_unavailable: "ServiceUnavailableError",
  internal: "InternalError",
};

it.each(faultKinds)("the SDK has a class for %s, with its status, code and reason", async (kind) => {
  const { status, code, message, reason } = renderings[kind];
  const body = { success: false, errors: [{ code, message, detail: "what to do", ...(reason ? { reason } : {}) }] };
  const headers = { "svc-error-source": "plugboard", "x-request-id": "req_1" };
  const pb = new sdk.Plugboard({
    apiKey: "key",
    baseUrl: "http://plugboard.example",
    maxRetries: 0,
    fetch: async () => Response.json(body, { status, headers }),
  });
  const error = await pb
    .connection("conn_1")
    .me()
    .catch((thrown: sdk.PlugboardError) => thrown);
  expect(error).toBeInstanceOf(sdk.PlugboardError);
  expect(error).toMatchObject({ name: classes[kind], status, code, reason, requestId: "req_1", source: "plugboard" });
  expect((error as Error).message).toBe(`${status} ${message}: what to do`);
});

/** What a stream can end with after its first page: what is about the request itself comes before it. */
const streamed = faultKinds.filter((kind) => ![403, 409, 422].includes(renderings[kind].status));
it.each(streamed)("a streamed list that ends with %s has the same error as a response", (kind) => {
  const { status, code, message, reason } = renderings[kind];
  const error = lineError({ errors: [{ code, message, ...(reason ? { reason } : {}) }] }, "req_1");
  expect(error).toMatchObject({ name: classes[kind], status, code, reason, requestId: "req_1", source: "plugboard" });
});

/** As docs/proxy.md has them. */
const proxyErrors: [status: number, body: object | string, name: string, reason?: string][] = [
  [401, { status: 401, message: "Not authorized" }, "AuthenticationError"],
  [400, { code: "path_invalid", message: "The path is invalid" }, "InvalidRequestError", "path_invalid"],
  [400, { code: "connection_invalid", message: "Missing" }, "ConnectionNotFoundError", "connection_not_found"],
  [400, { code: "connection_refresh_failed", message: "Failed" }, "ConnectionInvalidError", "connection_invalid"],
  [400, { code: "integration_not_found", message: "Not found" }, "IntegrationDeletedError", "integration_deleted"],
  [429, { code: "rate_limit", message: "Too many requests" }, "RateLimitError", "rate_limit"],
  [408, "Request timed out", "ProviderTimeoutError"],
  [503, "", "ServiceUnavailableError"],
];
it.each(proxyErrors)("proxy.json throws the Proxy's own %i %j as %s", async (status, body, name, reason) => {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const fetch = async () => new Response(text, { status, headers: { "svc-error-source": "plugboard" } });
  const pb = new sdk.Plugboard({ apiKey: "key", baseUrl: "http://plugboard.example", maxRetries: 0, fetch });
  await expect(pb.connection("conn_1").proxy.json("/user")).rejects.toMatchObject({ name, status, reason });
});

describe("errors of a running service", () => {
  let service: TestService;
  let pb: sdk.Plugboard;
  const thrownBy = (call: Promise<unknown>) =>
    call.then(
      () => undefined,
      (error: unknown) => error,
    );
  beforeAll(async () => {
    service = await startService();
    pb = new sdk.Plugboard({ apiKey: service.apiKey, baseUrl: service.url, maxRetries: 0 });
  });
  afterAll(() => service?.close());

  it("the provider's own error is a ProviderError with its status and body", async () => {
    await injectFault(service, { provider: "github", status: 422, times: 1 });
    const error = await thrownBy(pb.connection(service.connections.github!).me());
    await clearFaults(service);
    expect(error).toBeInstanceOf(sdk.ProviderError);
    expect(error).toMatchObject({ status: 422, source: "provider", requestId: expect.any(String) });
    // The provider's codes are in its body, and not taken for ours.
    expect((error as sdk.ProviderError).code).toBeUndefined();
    expect((error as sdk.ProviderError).body).toBeTypeOf("object");
  });

  it("invalid input lists every problem with its place, on both APIs", async () => {
    const unified = await thrownBy(pb.connection(service.connections.github!).git.repos.list({ limit: 500 }));
    expect(unified).toBeInstanceOf(sdk.InvalidRequestError);
    expect(unified).toMatchObject({ code: 7001, problems: [{ path: ["query", "limit"], message: "must be <= 100" }] });
    const body = { identifier: "nothing", type: "none" } as never;
    const platform = (await thrownBy(pb.platform.integrations.create(body))) as sdk.PlugboardError;
    expect(platform).toBeInstanceOf(sdk.InvalidRequestError);
    expect(platform.problems.map(({ path }) => path)).toContainEqual(["identifier"]);
  });

  it("an unknown key, connection and operation have classes of their own", async () => {
    const stranger = new sdk.Plugboard({ apiKey: "sk_unknown", baseUrl: service.url });
    expect(await thrownBy(stranger.platform.workspace.get())).toBeInstanceOf(sdk.AuthenticationError);
    expect(await thrownBy(pb.connection("conn_none").me())).toBeInstanceOf(sdk.ConnectionNotFoundError);
    const github = pb.connection(service.connections.github!);
    expect(await thrownBy(github.tasks.list().toArray())).toBeInstanceOf(sdk.OperationNotSupportedError);
    expect(await thrownBy(pb.platform.connections.get("conn_none"))).toBeInstanceOf(sdk.NotFoundError);
  });

  it("a connection whose tokens were revoked is a ConnectionInvalidError at every call, and its provider is not asked again", async () => {
    const jira = pb.connection(service.connections.jira!);
    await injectFault(service, { provider: "jira", revoke_tokens: true });
    expect(await thrownBy(jira.tasks.list().toArray())).toBeInstanceOf(sdk.ConnectionInvalidError);
    const asked = await requestsDuring(service, "jira", async () => {
      expect(await thrownBy(jira.me())).toBeInstanceOf(sdk.ConnectionInvalidError);
      const proxied = await jira.proxy("/myself");
      expect([proxied.status, ((await proxied.json()) as any).code]).toEqual([400, "connection_refresh_failed"]);
    });
    expect(asked).toEqual([]);
  });

  it("a service that cannot be reached is a NetworkError with its cause", async () => {
    const nowhere = new sdk.Plugboard({ apiKey: "key", baseUrl: "http://127.0.0.1:1", maxRetries: 0 });
    for (const call of [() => nowhere.platform.workspace.get(), () => nowhere.connection("conn_1").proxy("/user")]) {
      const error = (await thrownBy(call())) as Error & { cause: Error & { cause: Error } };
      expect(error).toBeInstanceOf(sdk.NetworkError);
      expect(error.cause).toBeInstanceOf(TypeError);
      // `fetch` itself only says that it failed.
      expect(error.message).toContain(error.cause.cause.message);
    }
  });
});
