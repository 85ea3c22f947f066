// The SDK's error classes, against the errors of a running service.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as sdk from "../../sdk/src/index.ts";
import { clearFaults, injectFault, requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";

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
