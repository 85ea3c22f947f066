// What the Proxy does about tokens that are stale or refused, with an emulated provider that knows them.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startService, type TestService } from "../support/service.ts";
import { PROVIDER } from "./support.ts";

let service: TestService;
let connection: string;
const TOKEN_PATH = "/login/oauth/access_token";

beforeAll(async () => {
  service = await startService({ env: { RATE_LIMIT: "100000/60" } });
  connection = service.connections[PROVIDER]!;
});
afterAll(() => service?.close());
afterEach(() => fetch(`${service.url}/sandbox/_faults`, { method: "DELETE" }));

const fault = async (body: object) => {
  const response = await fetch(`${service.url}/sandbox/_faults`, {
    method: "POST",
    body: JSON.stringify({ provider: PROVIDER, ...body }),
  });
  if (!response.ok) throw new Error(await response.text());
};

const call = (path: string, init: RequestInit = {}, id = connection) =>
  fetch(`${service.url}/proxy${path}`, {
    ...init,
    headers: { authorization: `Bearer ${service.apiKey}`, "SVC-Connection-ID": id },
  });

/** What reached the provider meanwhile, without their queries. */
async function arrivals(work: () => Promise<unknown>): Promise<string[]> {
  await fetch(`${service.url}/sandbox/_requests`, { method: "DELETE" });
  await work();
  const seen = await fetch(`${service.url}/sandbox/_requests?provider=${PROVIDER}`);
  return ((await seen.json()) as any[]).map(({ method, path }) => `${method} ${path.split("?")[0]}`);
}

/** A second connection whose token has run out. */
async function expiredConnection(refreshToken: string | undefined): Promise<string> {
  const { store, coordination } = service.parts;
  const { connection: ready } = (await store.connections.load(connection))!;
  const { created_at: _, updated_at: __, ...values } = ready;
  const made = await store.connections.create({
    ...values,
    id: `conn_${crypto.randomUUID().replaceAll("-", "").slice(0, 24)}`,
    credentials: { token: ready.credentials.token, refresh_token: refreshToken },
    expires_at: new Date(Date.now() - 1_000).toISOString(),
  });
  await coordination.invalidate("connection", made.id);
  return made.id;
}

const refreshFailed = {
  status: 400,
  code: "connection_refresh_failed",
  message: "Failed to refresh connection",
};

describe("a token that has run out", () => {
  it("and cannot be renewed: 400 connection_refresh_failed, whether or not there is something to renew it by", async () => {
    for (const refreshToken of ["void", undefined]) {
      const id = await expiredConnection(refreshToken);
      for (let time = 0; time < 2; time++) {
        const response = await call("/user", {}, id);
        expect([response.status, await response.json()]).toEqual([400, refreshFailed]);
      }
    }
  });

  it("and cannot be renewed just now: 503 with an empty body", async () => {
    const { store } = service.parts;
    const { connection: ready } = (await store.connections.load(connection))!;
    const id = await expiredConnection(ready.credentials.refresh_token);
    await fault({ path: TOKEN_PATH, status: 503, times: 100 });
    const response = await call("/user", {}, id);
    expect([response.status, await response.text()]).toEqual([503, ""]);
    await fetch(`${service.url}/sandbox/_faults`, { method: "DELETE" });
    expect((await call("/user", {}, id)).status).toBe(200);
    // That renewal used up the refresh token that the ready-made connection came with.
    const { connection: renewed } = (await store.connections.load(id))!;
    const { credentials, expires_at } = renewed;
    await store.connections.update(connection, { credentials, expires_at });
    await service.parts.coordination.invalidate("connection", connection);
  });
});

describe("a token that the provider refuses", () => {
  it("is renewed once, and the request made once more", async () => {
    await fault({ expire_tokens: true });
    const seen = await arrivals(async () => {
      const response = await call("/user");
      expect([response.status, ((await response.json()) as any).login]).toEqual([200, expect.any(String)]);
    });
    expect(seen).toEqual(["GET /user", `POST ${TOKEN_PATH}`, "GET /user"]);
  });

  it("is renewed once for many calls at the same time", async () => {
    await fault({ expire_tokens: true });
    const seen = await arrivals(async () => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => call("/user")));
      expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200));
    });
    expect(seen.filter((arrival) => arrival.endsWith(TOKEN_PATH))).toHaveLength(1);
  });

  it("is renewed for a request with a small body, too, which is sent again", async () => {
    await fault({ expire_tokens: true });
    const seen = await arrivals(async () => {
      // There is no such thing to post to: what counts is that the provider's answer is no longer about the token.
      const response = await call("/user", { method: "POST", body: JSON.stringify({ text: "small" }) });
      expect(response.status).toBe(404);
    });
    expect(seen.filter((arrival) => arrival === "POST /user").length).toBeLessThanOrEqual(2);
  });

  it("with a large body is the provider's answer, and renewed for the next request", async () => {
    await fault({ path: "/user", status: 401, times: 1 });
    const body = "x".repeat(200_000);
    const seen = await arrivals(async () => {
      expect((await call("/user", { method: "POST", body })).status).toBe(401);
      expect((await call("/user")).status).toBe(200);
    });
    expect(seen).toEqual(["POST /user", `POST ${TOKEN_PATH}`, "GET /user"]);
  });

  it("and cannot be renewed is the provider's answer", async () => {
    await fault({ path: TOKEN_PATH, status: 400, times: 100 });
    await fault({ path: "/user", status: 401, times: 1 });
    const response = await call("/user");
    expect([response.status, ((await response.json()) as any).message]).toEqual([401, "Bad credentials"]);
  });

  // Last, since after it refusals of this connection are no longer met with renewals for a while.
  it("twice is the provider's answer", async () => {
    await fault({ path: "/user", status: 401, times: 2 });
    const seen = await arrivals(async () => {
      const response = await call("/user");
      expect([response.status, ((await response.json()) as any).message]).toEqual([401, "Bad credentials"]);
    });
    expect(seen).toEqual(["GET /user", `POST ${TOKEN_PATH}`, "GET /user"]);
  });
});
