// Subscriptions over the Platform API, to lists of the emulated providers that change on command.
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { providers } from "../../src/providers/registry.gen.ts";
import { emulators } from "../../src/providers/sandboxes.gen.ts";
import { hookedProviders, hooksClient } from "../hooks/hooks-client.ts";
import { testSqlite } from "../support/databases.ts";
import { createPlatform, type StrictPlatform } from "../support/platform.ts";
import { injectFault } from "../support/sandbox.ts";
import { startService, type TestService } from "../support/service.ts";
import { subscriptionClient } from "./support/subscriptions.ts";

const database = testSqlite();

describe("subscriptions", () => {
  let service: TestService;
  let client: ReturnType<typeof subscriptionClient>;
  let platform: StrictPlatform;
  beforeAll(async () => {
    service = await startService({ env: { ...database.env, UNIFIED_RATE_LIMIT: "100000/60" } });
    client = subscriptionClient(service);
    platform = client.platform;
  });
  afterAll(() => service?.close());

  it("a subscription emits exactly one event for each change on command", async () => {
    // Runs are started below, not by webhooks.
    await hooksClient(service, client).control({ provider: "asana", send: false });
    const { id, ...created } = await client.subscribe("asana", "tasks.listTasks");
    expect(created).toMatchObject({
      status: "active",
      reason: null,
      last_run: null,
      parameters: {},
      full_walk_seconds: 21_600,
      include_existing: false,
      estimated_calls_per_day: 24,
    });
    const baseline = await client.finished(id);
    expect(baseline.last_run).toMatchObject({ kind: "full", created: 0, error: null });
    await client.settled(id);
    const first = await client.change("asana", "tasks.listTasks", { create: 3, update: 2 });
    const ran = await client.runNow(id);
    expect(ran.last_run).toMatchObject({ kind: "incremental", created: 3, updated: 2, deleted: 0 });
    await client.readWhole(id);
    const second = await client.change("asana", "tasks.listTasks", { delete: 2 });
    await client.runNow(id);
    await client.runNow(id);
    const expected = [
      ...first.created.map((record: string) => `tasks.task.created ${record}`),
      ...first.updated.map((record: string) => `tasks.task.updated ${record}`),
      ...second.deleted.map((record: string) => `tasks.task.deleted ${record}`),
    ].toSorted();
    await expect.poll(() => client.toldBy(id)).toEqual(expected);
  });

  it("a subscription to a project that does not exist fails, and does not take its list for empty", async () => {
    const parameters = { project_id: "999999" };
    const { id } = await client.subscribe("jira", "tasks.listTasks", { parameters });
    await expect.poll(async () => (await client.get(id)).last_run?.error).toContain("400");
  });

  it("a subscription waits for the end of a rate limit that the provider reports as 403", async () => {
    await injectFault(service, { provider: "github", path: "/user/repos", status: 403, retry_after: 1_800, times: 1 });
    const { id } = await client.subscribe("github", "git.listRepositories");
    await vi.waitFor(
      async () => {
        const { next_run, ...subscription } = await client.get(id);
        expect(subscription).toMatchObject({ status: "active", reason: null, last_run: null });
        expect(Date.parse(next_run) - Date.now()).toBeGreaterThan(600_000);
      },
      { timeout: 60_000 },
    );
  });

  it("a subscription is paused, resumed, changed and deleted", async () => {
    const { id } = await client.subscribe("trello", "tasks.listTasks", { include_existing: true });
    const { last_run } = await client.finished(id);
    expect(last_run.created).toBe(last_run.records);
    expect(await platform("POST", `/subscriptions/${id}/pause`)).toMatchObject({ status: "paused", next_run: null });
    const refused = await createPlatform(service, service.apiKey)("POST", `/v1/subscriptions/${id}/run`);
    expect(refused).toMatchObject({ status: 400, body: { errors: { status: [expect.stringContaining("resume")] } } });
    const { created } = await client.change("trello", "tasks.listTasks", { create: 1 });
    expect(await platform("POST", `/subscriptions/${id}/resume`)).toMatchObject({ status: "active" });
    await expect.poll(() => client.toldBy(id)).toContain(`tasks.task.created ${created[0]}`);

    expect(await platform("PATCH", `/subscriptions/${id}`, { interval_seconds: 86_400 })).toMatchObject({
      interval_seconds: 86_400,
      full_walk_seconds: 86_400,
    });
    const listed = await platform("GET", `/subscriptions?connection_id=${service.connections.trello}`);
    expect(listed.map((subscription: { id: string }) => subscription.id)).toEqual([id]);
    expect(await platform("DELETE", `/subscriptions/${id}`)).toEqual({ success: true });
    const gone = await createPlatform(service, service.apiKey)("GET", `/v1/subscriptions/${id}`);
    expect(gone.status).toBe(404);
    const tracked = `select record_id from tracked_records where subscription_id = '${id}'`;
    await expect.poll(() => database.run(tracked)).toEqual([]);
  });

  it("a subscription starts over with other parameters, and does nothing if the same ones come in another order", async () => {
    const repo = "acme/rocket";
    const { id } = await client.subscribe("github", "git.listCommits", { parameters: { repo, branch: "main" } });
    const finished = await client.settled(id);
    // The same parameters in another order are no change: it neither starts over nor runs.
    const same = { parameters: { branch: "main", repo }, interval_seconds: 3600 };
    expect(await platform("PATCH", `/subscriptions/${id}`, same)).toEqual(finished);
    expect(await client.get(id)).toEqual(finished);
    const changed = await platform("PATCH", `/subscriptions/${id}`, { parameters: { repo } });
    expect(changed.parameters).toEqual({ repo });
    await client.finished(id, finished.last_run.finished_at);
    expect(await client.toldBy(id)).toEqual([]);
  });

  it("an invalid subscription is refused with what is wrong, by field", async () => {
    const call = createPlatform(service, service.apiKey);
    const problems = async (body: object) => {
      const answer = await call("POST", "/v1/subscriptions", body);
      expect(answer.status).toBe(400);
      return answer.body.errors;
    };
    const connection_id = service.connections.github;
    expect(await problems({})).toMatchObject({
      connection_id: [expect.any(String)],
      operation: [expect.any(String)],
      interval_seconds: [expect.stringContaining("60 to 86400")],
    });
    const valid = { connection_id, operation: "git.listIssues", parameters: { repo: "a/b" }, interval_seconds: 60 };
    expect(await problems({ ...valid, operation: "git.createIssue" })).toEqual({
      operation: [expect.stringContaining("Must be one of: ")],
    });
    expect(await problems({ ...valid, operation: "crm.listContacts", parameters: {} })).toEqual({
      operation: ["GitHub does not support this operation"],
    });
    expect(await problems({ ...valid, parameters: { repo: 2 ** 60 } })).toEqual({
      parameters: ["repo: Must be text: JSON numbers do not keep so many digits"],
    });
    expect(await problems({ ...valid, parameters: {} })).toEqual({ parameters: ["repo: Is required"] });
    expect(await problems({ ...valid, parameters: { repo: "../etc", updated_since: "x" } })).toEqual({
      parameters: expect.arrayContaining([
        expect.stringContaining("updated_since: Is not a parameter of this operation; known: repo"),
        expect.stringContaining("repo: "),
      ]),
    });
    const tasks = { ...valid, connection_id: service.connections.jira, operation: "tasks.listTasks" };
    const filters = { project_id: "1", status_category: "done", assignee_id: "me", query: "x" };
    expect(await problems({ ...tasks, parameters: filters })).toEqual({
      parameters: ["status_category", "assignee_id", "query"].map(
        (name) => `${name}: Is not a parameter of this operation; known: project_id`,
      ),
    });
    expect(await problems({ ...valid, interval_seconds: 59 })).toHaveProperty("interval_seconds");
    expect(await problems({ ...valid, interval_seconds: 3600, full_walk_seconds: 60 })).toEqual({
      full_walk_seconds: ["Must not be less than interval_seconds"],
    });
    expect(await problems({ ...valid, connection_id: "conn_unknown" })).toEqual({
      connection_id: [expect.stringContaining("Unknown connection")],
    });
    expect(await problems({ ...valid, parameters: "x", surprise: 1 })).toMatchObject({
      parameters: [expect.any(String)],
      surprise: [expect.any(String)],
    });
    expect(await platform("GET", "/subscriptions?connection_id=conn_unknown")).toEqual([]);
  });

  it("a subscription belongs to one workspace", async () => {
    const { id } = await client.subscribe("gitlab", "git.listRepositories");
    const other = createPlatform(service, await service.createWorkspace(`other-${database.name}`));
    expect((await other("GET", "/v1/subscriptions")).body).toEqual([]);
    for (const [method, path] of [
      ["GET", ""],
      ["PATCH", ""],
      ["DELETE", ""],
      ["POST", "/run"],
      ["POST", "/pause"],
      ["POST", "/resume"],
    ] as const)
      expect((await other(method, `/v1/subscriptions/${id}${path}`, method === "GET" ? undefined : {})).status).toBe(
        404,
      );
    const foreign = {
      connection_id: service.connections.gitlab,
      operation: "git.listRepositories",
      interval_seconds: 60,
    };
    expect((await other("POST", "/v1/subscriptions", foreign)).body.errors).toHaveProperty("connection_id");
  });

  it("subscriptions are counted in the metrics", async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    expect(text).toMatch(/plugboard_subscriptions\{status="active"\} \d+/);
    expect(text).toMatch(/plugboard_subscription_runs_total\{outcome="finished"\} [1-9]/);
    expect(text).toMatch(/plugboard_subscriptions_due \d+/);
    expect(text).toMatch(/plugboard_subscriptions_lag_seconds [\d.e-]+/);
  });
});

// Those with webhooks are in test/hooks/providers.test.ts.
const hooked = new Set(hookedProviders().map(([, { id }]) => id));
const withoutHooks = providers
  .filter(({ manifest, categories }) => categories.length > 0 && !hooked.has(manifest.id))
  .map(({ manifest }) => manifest.id);

describe("subscriptions at providers without webhooks", () => {
  let client: ReturnType<typeof subscriptionClient>;
  beforeAll(async () => {
    const service = await startService({ env: { UNIFIED_RATE_LIMIT: "100000/60" } });
    client = subscriptionClient(service);
    return () => service.close();
  });

  it.each(withoutHooks)("a subscription to a list of %s emits each change once", async (provider) => {
    const { changes } = await emulators[provider]!.load();
    const [list] = Object.keys(changes!) as [string];
    const { parameters } = await client.change(provider, list, {});
    const { id } = await client.subscribe(provider, list, { parameters });
    await client.finished(id);
    await client.expectEachChange(id, { provider, list, parameters });
  });
});
