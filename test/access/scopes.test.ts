import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { includesScope, type Scope, scopes } from "../../src/contracts/access.ts";
import { newApiKey, newId } from "../../src/runtime/ids.ts";
import { scopeGroups } from "../../src/surfaces/shared/key-presets.ts";
import { createPlatform } from "../support/platform.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let workspaceId: string;
let ids: string[];
let routes: Route[];

beforeAll(async () => {
  service = await startService();
  routes = await allRoutes();
  workspaceId = (await service.store.workspaces.byClientId(service.clientId))!.id;
  ids = Object.values(service.connections);
});
afterAll(() => service?.close());

/** A key with these permissions, made without the API. */
async function createKey(permissions: { scopes?: Scope[]; external_id?: string; connection_ids?: string[] } = {}) {
  const { key, hash, prefix } = newApiKey();
  const id = newId("key");
  await service.store.keys.create({ id, workspace_id: workspaceId, name: null, prefix, hash, ...permissions });
  return key;
}

interface Route {
  surface: string;
  method: string;
  /** Without values for its parameters. */
  path: string;
  scope: Scope;
}

interface Document {
  paths: Record<string, Record<string, { security?: Record<string, Scope[]>[] }>>;
}

/** The routes of a document, with the scope that each declares. */
async function documented(surface: string, documentPath: string): Promise<Route[]> {
  const { paths } = (await (await fetch(`${service.url}${documentPath}`)).json()) as Document;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, { security = [] }]) => {
      const [scope] = security[0]?.bearer ?? [];
      return security.length === 0 ? [] : [{ surface, method: method.toUpperCase(), path, scope: scope! }];
    }),
  );
}

async function allRoutes(): Promise<Route[]> {
  const forwarding = (surface: string, path: string, scope: Scope, methods: string[]) =>
    methods.map((method) => ({ surface, path, scope, method }));
  return [
    ...(await documented("platform", "/platform/openapi.json")),
    ...(await documented("unified", "/unified/openapi.json")),
    ...(await documented("auth", "/auth/openapi.json")),
    ...forwarding("proxy", "/anything", "proxy", ["GET", "POST", "PUT", "PATCH", "DELETE"]),
    ...forwarding("mcp", "/", "mcp", ["GET", "POST", "DELETE"]),
    ...forwarding("unified", "/v1/mcp", "mcp", ["GET", "POST", "DELETE"]),
    ...forwarding("unified", `/v1/mcp/w/${service.clientId}`, "mcp", ["GET", "POST", "DELETE"]),
  ];
}

function call({ surface, method, path }: Route, key: string, connectionId = "conn_none") {
  return fetch(`${service.url}/${surface}${path.replaceAll(/\{\w+\}/g, "none")}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      "svc-connection-id": connectionId,
      ...(method === "GET" ? {} : { "content-type": "application/json" }),
    },
    ...(method === "GET" ? {} : { body: "{}" }),
  });
}

/** Which scope an answer says is missing, in the format of its surface. */
async function missingScope(response: Response, surface: string): Promise<string | undefined> {
  if (response.status !== 403) {
    await response.body?.cancel();
    return undefined;
  }
  const body = (await response.json()) as any;
  const [, scope] = /^Bearer error="insufficient_scope"(?:, scope="(.+)")?$/.exec(
    response.headers.get("www-authenticate")!,
  )!;
  // A key that is stronger than its creator.
  if (scope === undefined) return undefined;
  const names = (text: string) => text.endsWith(`the API key lacks the scope ${scope}`);
  if (surface === "unified") {
    const [{ code, message, detail }] = body.errors;
    expect([body.success, code, message, names(detail)]).toEqual([false, 1003, "Insufficient Scope", true]);
  } else if (surface === "proxy" || surface === "mcp") {
    expect([body.code, body.status, names(body.message)]).toEqual(["insufficient_scope", 403, true]);
  } else expect([body.success, names(body.message), body.errors]).toEqual([false, true, undefined]);
  return scope;
}

it("every route that takes a key declares the scope that it needs", () => {
  expect(routes.length).toBeGreaterThan(90);
  expect(routes.filter(({ scope }) => !scopes.includes(scope) || scope === "*")).toEqual([]);
});

it("the dashboard explains and offers each scope that a route needs, and no other", () => {
  const needed = new Set(routes.map(({ scope }) => scope));
  const offered = scopeGroups.flatMap(([, group]) => group.map(([scope]) => scope));
  expect(offered.toSorted()).toEqual([...needed].sort());
});

it.each(scopes.filter((scope) => scope !== "*"))(
  "a route that needs %s takes each scope that includes it, and refuses all the others together",
  async (needed) => {
    const [enough, others] = [true, false].map((isEnough) =>
      scopes.filter((scope) => includesScope([scope], needed) === isEnough),
    ) as [Scope[], Scope[]];
    const keys = await Promise.all([...enough.map((scope) => [scope]), others].map((scopes) => createKey({ scopes })));
    const refused = keys.at(-1)!;
    const wrong: string[] = [];
    for (const route of routes)
      for (const key of route.scope === needed ? keys : []) {
        const response = await call(route, key);
        const missing = await missingScope(response, route.surface);
        if (missing !== (key === refused ? needed : undefined) || response.status === 401)
          wrong.push(`${route.method} ${route.surface}${route.path}: ${response.status} ${missing}`);
      }
    expect(wrong).toEqual([]);
  },
);

describe("a key that is bound", () => {
  const others = () => ids.slice(1);

  /** What a bound key must not reach: everything of connections that are not its own. */
  async function reachable(key: string): Promise<string[]> {
    const platform = createPlatform(service, key);
    const found: string[] = [];
    for (const id of others()) {
      for (const method of ["GET", "PATCH", "DELETE"])
        if ((await platform(method, `/v1/connections/${id}`, method === "GET" ? undefined : {})).status !== 404)
          found.push(`${method} ${id}`);
      const route = { surface: "unified", method: "GET", path: "/v1/me", scope: "unified:read" } as const;
      const unified = await call(route, key, id);
      if (((await unified.json()) as any).errors?.[0]?.reason !== "connection_not_found") found.push(`unified ${id}`);
      for (const surface of ["proxy", "mcp"]) {
        const answer = await call({ ...route, surface, path: "/", method: "POST" }, key, id);
        if (((await answer.json()) as any).code !== "connection_invalid") found.push(`${surface} ${id}`);
      }
      const session = await platform("POST", "/v1/connect-sessions", { connection_id: id });
      if (session.body.errors?.connection_id?.[0] !== "There is no such connection in this workspace")
        found.push(`connect session ${id}: ${session.text}`);
      const subscription = await platform("POST", "/v1/subscriptions", {
        connection_id: id,
        operation: "tasks.listTasks",
        interval_seconds: 60,
      });
      if (!subscription.body.errors?.connection_id?.[0].startsWith("Unknown connection"))
        found.push(`subscription ${id}`);
    }
    return found;
  }

  it.each([
    ["a connection", async () => createKey({ connection_ids: [ids[0]!] })],
    [
      "a user",
      async () => {
        await service.store.connections.update(ids[0]!, { external_id: "only-user" });
        await service.parts.coordination.invalidate("connection", ids[0]!);
        return createKey({ external_id: "only-user" });
      },
    ],
  ])("to %s sees and uses only that, as if the others did not exist", async (_, bind) => {
    const key = await bind();
    const platform = createPlatform(service, key);
    expect((await platform("GET", "/v1/connections")).body.map(({ id }: { id: string }) => id)).toEqual([ids[0]]);
    expect((await platform("GET", `/v1/connections/${ids[0]}`)).status).toBe(200);
    expect((await platform("GET", "/v1/connections?external_id=somebody-else")).body).toEqual([]);
    expect(await reachable(key)).toEqual([]);
    const identity = { surface: "unified", method: "GET", path: "/v1/me", scope: "unified:read" } as const;
    expect((await call(identity, key, ids[0])).status).toBe(200);
  });

  it("sees events, subscriptions and requests of its own connection only", async () => {
    const everything = createPlatform(service, await createKey());
    const bound = createPlatform(service, await createKey({ connection_ids: [ids[0]!] }));
    const subscribe = (connection_id: string) =>
      everything("POST", "/v1/subscriptions", {
        connection_id,
        operation: "git.listRepositories",
        interval_seconds: 3600,
      });
    const withRepositories = [service.connections.github!, service.connections.gitlab!];
    const own = createPlatform(service, await createKey({ connection_ids: [withRepositories[0]!] }));
    const made = [];
    for (const id of withRepositories) made.push((await subscribe(id)).body.id);
    const listed = await own("GET", "/v1/subscriptions");
    expect(listed.body.map(({ id }: { id: string }) => id)).toEqual([made[0]]);
    expect((await bound("GET", "/v1/subscriptions")).body).toEqual([]);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/run"],
      ["POST", "/pause"],
      ["POST", "/resume"],
    ] as const)
      expect(
        (await own(method, `/v1/subscriptions/${made[1]}${path}`, method === "PATCH" ? {} : undefined)).status,
      ).toBe(404);
    expect((await own("POST", `/v1/subscriptions/${made[0]}/run`)).status).toBe(200);

    const connectionsOf = (records: { connection_id: string | null }[]) => [
      ...new Set(records.map(({ connection_id }) => connection_id)),
    ];
    await expect.poll(async () => (await everything("GET", "/v1/events")).body.data.length).toBeGreaterThan(10);
    expect(connectionsOf((await own("GET", "/v1/events?limit=100")).body.data)).toEqual([withRepositories[0]]);
    expect((await own("GET", `/v1/events?connection_id=${withRepositories[1]}`)).body.data).toEqual([]);

    const identity = { surface: "unified", method: "GET", path: "/v1/me", scope: "unified:read" } as const;
    const key = await createKey();
    for (const id of withRepositories) await (await call(identity, key, id)).body?.cancel();
    const logOf = async (id: string) => (await everything("GET", `/v1/logs?connection_id=${id}`)).body;
    await expect.poll(async () => (await logOf(withRepositories[1]!)).length).toBeGreaterThan(0);
    await expect.poll(async () => connectionsOf((await own("GET", "/v1/logs")).body)).toEqual([withRepositories[0]]);
    expect((await own("GET", `/v1/logs?connection_id=${withRepositories[1]}`)).body).toEqual([]);
    const [{ id: foreign }] = await logOf(withRepositories[1]!);
    const [{ id: ownEntry }] = await logOf(withRepositories[0]!);
    expect((await own("GET", `/v1/logs/${foreign}`)).status).toBe(404);
    expect((await own("GET", `/v1/logs/${ownEntry}`)).status).toBe(200);
  });

  it("to a user adds accounts of this user only, and cannot give one away", async () => {
    const external_id = "new-user";
    const platform = createPlatform(service, await createKey({ external_id }));
    const integration_id = service.integrations.github;
    const created = await platform("POST", "/v1/connections", { integration_id, auth_token: "made-up" });
    expect(created).toMatchObject({ status: 201, body: { external_id } });
    expect(
      await platform("POST", "/v1/connections", { integration_id, auth_token: "made-up", external_id: "other" }),
    ).toMatchObject({ status: 403, body: { message: expect.stringContaining("bound to the external_id new-user") } });
    expect(await platform("PATCH", `/v1/connections/${created.body.id}`, { external_id: "other" })).toMatchObject({
      status: 400,
      body: { errors: { external_id: ["Must stay as it is: the API key is bound to it"] } },
    });
    expect((await platform("POST", "/v1/connect-sessions", {})).status).toBe(201);
    expect((await platform("POST", "/v1/connect-sessions", { external_id: "other" })).status).toBe(403);
    expect((await platform("DELETE", `/v1/connections/${created.body.id}`)).status).toBe(200);
  });

  it("to connections cannot add another", async () => {
    const platform = createPlatform(service, await createKey({ connection_ids: [ids[0]!] }));
    const integration_id = service.integrations.github;
    const refused = { status: 403, body: { message: expect.stringContaining("cannot add another") } };
    expect(await platform("POST", "/v1/connections", { integration_id, auth_token: "made-up" })).toMatchObject(refused);
    expect(await platform("POST", "/v1/connect-sessions", { external_id: "a" })).toMatchObject(refused);
    expect((await platform("POST", "/v1/connect-sessions", { connection_id: ids[0] })).status).toBe(201);
  });

  it("cannot change or read what concerns all connections", async () => {
    const platform = createPlatform(service, await createKey({ external_id: "nobody" }));
    for (const [method, path] of [
      ["GET", "/v1/api-keys"],
      ["DELETE", "/v1/api-keys/x"],
      ["PATCH", "/v1/workspace"],
      ["POST", "/v1/integrations"],
      ["PATCH", "/v1/integrations/x"],
      ["DELETE", "/v1/integrations/x"],
      ["GET", "/v1/integrations/x/hook-secret"],
      ["GET", "/v1/usage"],
      ["GET", "/v1/webhooks"],
      ["POST", "/v1/webhooks"],
      ["GET", "/v1/webhooks/x/secret"],
      ["GET", "/v1/deliveries/x"],
    ] as const)
      expect(await platform(method, path, method === "GET" ? undefined : {}), `${method} ${path}`).toMatchObject({
        status: 403,
        body: { message: expect.stringContaining("bound to some connections") },
      });
    for (const path of ["/v1/workspace", "/v1/integrations", "/v1/providers"])
      expect((await platform("GET", path)).status).toBe(200);
    expect((await platform("GET", "/v1/connections")).body).toEqual([]);
    expect((await platform("GET", "/v1/events")).body.data).toEqual([]);
  });
});
