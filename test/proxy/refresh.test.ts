// How the Proxy handles tokens that have expired or are refused, with an emulated provider.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { clearFaults, type InjectedFault, injectFault, requestsDuring } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { PROVIDER } from "../support/upstream.ts";

let service: TestService;
let connection: string;
const TOKEN_PATH = "/login/oauth/access_token";

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60" } });
  connection = service.connections[PROVIDER]!;
});
afterAll(() => service?.close());
afterEach(() => clearFaults(service));

const fault = (body: Omit<InjectedFault, "provider">) => injectFault(service, { provider: PROVIDER, ...body });

const call = (path: string, init: RequestInit = {}, id = connection) =>
  fetch(`${service.url}/proxy${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": id },
  });

/** Requests that reached the provider while `work` ran, without their queries. */
async function requests(work: () => Promise<unknown>): Promise<string[]> {
  const seen = await requestsDuring(service, PROVIDER, work);
  return seen.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
}

/** A second connection whose token has expired. */
async function expiredConnection(refreshToken: string | undefined): Promise<string> {
  const { store, coordination } = service.parts;
  const { connection: ready } = (await store.connections.load(connection))!;
  const { created_at: _, updated_at: __, ...values } = ready;
  const created = await store.connections.create({
    ...values,
    id: `conn_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`,
    credentials: { token: ready.credentials.token, refresh_token: refreshToken },
    expires_at: new Date(Date.now() - 1_000).toISOString(),
  });
  await coordination.invalidate("connection", created.id);
  return created.id;
}

const refreshFailed = {
  status: 400,
  code: "connection_refresh_failed",
  message: "Failed to refresh connection",
};

describe("an expired token", () => {
  it("an expired token that cannot be refreshed gets 400 connection_refresh_failed, with or without a refresh token", async () => {
    for (const refreshToken of ["revoked", undefined]) {
      const id = await expiredConnection(refreshToken);
      for (let time = 0; time < 2; time++) {
        const response = await call("/user", {}, id);
        expect([response.status, await response.json()]).toEqual([400, refreshFailed]);
      }
    }
  });

  it("an expired token whose token endpoint is unavailable gets 503 with an empty body", async () => {
    const { store } = service.parts;
    const { connection: ready } = (await store.connections.load(connection))!;
    const id = await expiredConnection(ready.credentials.refresh_token);
    await fault({ path: TOKEN_PATH, status: 503, times: 100 });
    const response = await call("/user", {}, id);
    expect([response.status, await response.text()]).toEqual([503, ""]);
    await clearFaults(service);
    expect((await call("/user", {}, id)).status).toBe(200);
    // That refresh used up the refresh token of the ready-made connection.
    const { connection: refreshed } = (await store.connections.load(id))!;
    const { credentials, expires_at } = refreshed;
    await store.connections.update(connection, { credentials, expires_at });
    await service.parts.coordination.invalidate("connection", connection);
  });
});

describe("a token that the provider refuses", () => {
  it("a refused token is refreshed once, and the request is repeated", async () => {
    await fault({ expire_tokens: true });
    const seen = await requests(async () => {
      const response = await call("/user");
      expect([response.status, ((await response.json()) as any).login]).toEqual([200, expect.any(String)]);
    });
    expect(seen).toEqual(["GET /user", `POST ${TOKEN_PATH}`, "GET /user"]);
  });

  it("a refused token is refreshed once for 20 calls at the same time", async () => {
    await fault({ expire_tokens: true });
    const seen = await requests(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => call("/user")));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    });
    expect(seen.filter((request) => request.endsWith(TOKEN_PATH))).toHaveLength(1);
  });

  it("a refused token is refreshed for a request with a small body, which is sent again", async () => {
    await fault({ path: "/user", status: 401, times: 1 });
    const bodies: unknown[] = [];
    const stop = service.sandbox.onExchange(({ request }) => request.path === "/user" && bodies.push(request.body));
    const seen = await requests(async () => {
      // This route does not exist: what counts is that the answer is no longer about the token.
      expect((await call("/user", { method: "POST", body: "small" })).status).toBe(404);
    });
    stop();
    expect(seen).toEqual(["POST /user", `POST ${TOKEN_PATH}`, "POST /user"]);
    expect(bodies).toEqual(["small", "small"]);
  });

  it("a refused token with a large body returns the provider's answer and is refreshed for the next request", async () => {
    await fault({ path: "/user", status: 401, times: 1 });
    const body = "x".repeat(200_000);
    const seen = await requests(async () => {
      expect((await call("/user", { method: "POST", body })).status).toBe(401);
      expect((await call("/user")).status).toBe(200);
    });
    expect(seen).toEqual(["POST /user", `POST ${TOKEN_PATH}`, "GET /user"]);
  });

  it("a refused token that cannot be refreshed returns the provider's answer", async () => {
    await fault({ path: TOKEN_PATH, status: 400, times: 100 });
    await fault({ path: "/user", status: 401, times: 1 });
    const response = await call("/user");
    expect([response.status, ((await response.json()) as any).message]).toEqual([401, "Bad credentials"]);
  });

  // Last, because after it the connection is not refreshed on a refusal for a while.
  it("a token that is refused again after its refresh returns the provider's answer", async () => {
    await fault({ path: "/user", status: 401, times: 2 });
    const seen = await requests(async () => {
      const response = await call("/user");
      expect([response.status, ((await response.json()) as any).message]).toEqual([401, "Bad credentials"]);
    });
    expect(seen).toEqual(["GET /user", `POST ${TOKEN_PATH}`, "GET /user"]);
  });
});
