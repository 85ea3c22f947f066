import { randomBytes, randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, it } from "vitest";
import { describeDatabases } from "../../test/support/databases.ts";
import { newConnection } from "../../test/support/entities.ts";
import type { Store } from "../contracts/store.ts";
import type { EventAnswer } from "../engine/index.ts";
import { newId } from "../runtime/ids.ts";
import { createJobRunner } from "./job-runner.ts";
import { sweepEvents } from "./retention.ts";
import { createWebhookWorker } from "./webhook-worker.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const answered = (status: number, retryAfterSeconds?: number): EventAnswer => ({
  outcome: "answered",
  status,
  answer: `status ${status}`,
  retryAfterSeconds,
});
const unreachable: EventAnswer = { outcome: "unreachable", error: "no connection: ECONNREFUSED" };

await describeDatabases("webhook worker", (database) => {
  let store: Store;
  /** The same database, as another process sees it. */
  let other: Store;
  let workspaceId: string;
  let webhookId: string;
  beforeAll(async () => {
    store = await database.open();
    other = await database.open();
  });

  /** How far the worker's clock is ahead. */
  let ahead: number;
  let answer: (webhookIdHeader: string) => EventAnswer | Promise<EventAnswer>;
  let posted: { id: string; at: number; signature: string }[];
  let logged: string[];
  let outcomes: string[];
  const now = () => Date.now() + ahead;
  const work = () =>
    createWebhookWorker({
      store,
      log: { info: () => {}, warn: (details, message) => void logged.push(`${message} ${JSON.stringify(details)}`) },
      now,
      random: () => 0.5,
      attempted: (outcome) => void outcomes.push(outcome),
      async post({ headers }) {
        posted.push({ id: headers["webhook-id"]!, at: now(), signature: headers["webhook-signature"]! });
        return answer(headers["webhook-id"]!);
      },
    });
  beforeEach(async () => {
    [ahead, posted, logged, outcomes, answer] = [0, [], [], [], () => answered(200)];
    workspaceId = newId("ws");
    await store.workspaces.create({ id: workspaceId, name: "Acme", client_id: randomUUID(), redirect_uris: [] });
    webhookId = await addWebhook({ "connection.created": true });
  });

  async function addWebhook(events: Record<string, boolean>): Promise<string> {
    const id = newId("wh");
    const secret = `whsec_${randomBytes(32).toString("base64")}`;
    const fields = { name: "All", url: "https://example.com/hook", events, enabled: true, secret };
    await store.webhooks.create({ id, workspace_id: workspaceId, ...fields });
    return id;
  }
  const happen = async (count = 1) => {
    for (let number = 0; number < count; number++)
      await store.connections.create(newConnection({ workspace_id: workspaceId }));
    while ((await store.events.publish(100)) > 0);
  };
  /** Runs the webhook's job as a process would that has just been told of it. */
  async function run(id = webhookId, lost = new AbortController().signal): Promise<number> {
    await store.jobs.wake([id]);
    const jobs = await store.jobs.claim("webhook", randomUUID(), 1000, MINUTE);
    let dueInMs = 0;
    for (const job of jobs)
      if (job.id === id) {
        dueInMs = await work()(job, lost);
        await store.jobs.finish(job, dueInMs);
      } else await store.jobs.finish(job, 0);
    return dueInMs;
  }
  const list = (id = webhookId) => store.deliveries.list(workspaceId, id, { limit: 100 }, {});
  const webhook = async () => (await store.webhooks.get(workspaceId, webhookId))!;

  it("a failing delivery gets ten attempts, each at its time after the one before it, and then fails", async () => {
    answer = () => answered(500);
    await happen();
    const waits: number[] = [];
    for (let attempt = 1; attempt <= 10; attempt++) {
      const dueInMs = await run();
      expect(posted).toHaveLength(attempt);
      waits.push(Math.round(dueInMs / 1000));
      // A moment before, nothing is sent.
      ahead += dueInMs - 1000;
      if (attempt < 10) await run();
      expect(posted).toHaveLength(attempt);
      ahead += 1001;
    }
    const delays = [5, 300, 1800, 7200, 18_000, 36_000, 50_400, 72_000, 86_400];
    // Half of the jitter of a tenth; then nothing until something happens.
    expect(waits).toEqual([...delays.map((seconds) => Math.round(seconds * 1.05)), 86_400]);
    const [delivery] = await list();
    expect(delivery).toMatchObject({ state: "failed", next_attempt_at: null });
    expect(delivery!.attempts.map(({ status }) => status)).toEqual(Array(10).fill(500));
    expect(delivery!.attempts[0]!.answer).toBe("status 500");
    expect(new Set(posted.map(({ id }) => id)).size).toBe(1);
    expect(new Set(posted.map(({ signature }) => signature)).size).toBe(10);
    expect(outcomes).toEqual(Array(10).fill("rejected"));
    // Sent again, it has all its attempts again.
    await store.deliveries.resend(workspaceId, delivery!.id);
    expect(Math.round((await run()) / 1000)).toBe(5);
    expect((await list())[0]).toMatchObject({ state: "pending", attempts: { length: 11 } });
  });

  it.each([
    ["a redirect", answered(302), 302],
    ["a client error", answered(404), 404],
    ["no answer", unreachable, null],
    ["a refused address", { outcome: "forbidden", error: "the address is private" } as const, null],
  ])("%s is a failure that is tried again", async (_, failure, status) => {
    answer = () => failure;
    await happen();
    expect(Math.round((await run()) / 1000)).toBe(5);
    const [delivery] = await list();
    const error = failure.outcome === "answered" ? null : failure.error;
    expect(delivery).toMatchObject({ state: "pending", attempts: [{ status, error }] });
    expect(outcomes).toEqual([failure.outcome === "answered" ? "rejected" : failure.outcome]);
    answer = () => answered(299);
    ahead += 6000;
    await run();
    expect((await list())[0]).toMatchObject({ state: "delivered", attempts: [{ status }, { status: 299 }] });
    expect((await webhook()).failing_since).toBeNull();
  });

  it("a webhook has the time of its last attempt, successful or not, and it is written at most once a minute", async () => {
    expect((await webhook()).last_triggered_at).toBeNull();
    await happen();
    await run();
    const { last_triggered_at: first } = await webhook();
    expect(first).toBe((await list())[0]!.attempts[0]!.at);
    ahead = MINUTE / 2;
    await happen();
    await run();
    expect((await webhook()).last_triggered_at).toBe(first);
    ahead = 2 * MINUTE;
    answer = () => unreachable;
    await happen();
    await run();
    const latest = (await list()).flatMap(({ attempts }) => attempts.map(({ at }) => at)).sort();
    expect(latest).toHaveLength(3);
    expect(await webhook()).toMatchObject({ last_triggered_at: latest[2], failing_since: latest[2] });
  });

  it("the next attempt waits as long as the receiver asks, but no longer than a day, and never shorter than planned", async () => {
    const asked: [seconds: number, waited: number][] = [
      [1, 5],
      [600, 600],
      [10 * 86_400, 86_400],
    ];
    for (const [seconds, waited] of asked) {
      answer = () => answered(429, seconds);
      const id = await addWebhook({ "connection.created": true });
      await happen();
      expect(Math.round((await run(id)) / 1000)).toBe(Math.round(waited * 1.05));
    }
  });

  it("deliveries are sent in parallel, but one at a time after a failure, until one succeeds", async () => {
    let sending = 0;
    let most = 0;
    const measure = (status: () => number) => async () => {
      most = Math.max(most, ++sending);
      await new Promise((resolve) => setTimeout(resolve, 5));
      sending -= 1;
      return answered(status());
    };
    answer = measure(() => 200);
    await happen(40);
    await run();
    expect(posted).toHaveLength(40);
    expect(most).toBe(16);

    answer = () => unreachable;
    await happen(1);
    await run();
    most = 0;
    answer = measure(() => 500);
    await happen(5);
    await run();
    expect(most).toBe(1);
    most = 0;
    answer = measure(() => 200);
    // On a machine that stood still, some were tried twice.
    ahead += HOUR;
    await run();
    expect(most).toBeGreaterThan(1);
    expect((await list()).every(({ state }) => state === "delivered")).toBe(true);
  });

  it("a webhook that answers 410 is turned off with an event and a log line, and gets nothing more", async () => {
    answer = () => answered(410);
    const other = await addWebhook({ "webhook.disabled": true });
    await happen(1);
    await run();
    expect(await webhook()).toMatchObject({ enabled: false, disabled_reason: "the endpoint answered with status 410" });
    expect((await list())[0]).toMatchObject({ state: "failed", attempts: [{ status: 410 }] });
    expect(logged).toEqual([expect.stringMatching(`a webhook was turned off .*${webhookId}`)]);
    expect(await store.webhooks.countDisabled()).toBeGreaterThan(0);
    await happen(1);
    await run();
    expect(posted).toHaveLength(1);
    answer = () => answered(200);
    await run(other);
    const [told] = await list(other);
    expect(told).toMatchObject({ type: "webhook.disabled", state: "delivered" });
    const { events } = await store.events.list(workspaceId, { after: 0, limit: 10 }, { types: ["webhook.disabled"] });
    expect(events).toMatchObject([{ data: { webhook_id: webhookId, reason: expect.stringContaining("410") } }]);
  });

  it("a webhook is turned off only after five days of failures, and continues with what is waiting when turned on", async () => {
    answer = () => unreachable;
    await happen();
    while (ahead < 4.9 * DAY) {
      await run();
      ahead += 20 * HOUR;
      await happen();
    }
    // One success, and the days are counted anew.
    answer = () => answered(200);
    await run();
    answer = () => unreachable;
    ahead += HOUR;
    await happen();
    await run();
    expect(await webhook()).toMatchObject({ enabled: true, failing_since: expect.any(String) });
    ahead += 5 * DAY;
    await happen();
    await run();
    const { failing_since } = await webhook();
    expect(await webhook()).toMatchObject({
      enabled: false,
      disabled_reason: `every attempt since ${failing_since} failed`,
    });
    const waiting = (await list()).filter(({ state }) => state === "pending").length;
    expect(waiting).toBeGreaterThan(0);
    const before = posted.length;
    await run();
    expect(posted).toHaveLength(before);
    answer = () => answered(200);
    await store.webhooks.update(workspaceId, webhookId, { enabled: true });
    expect(await webhook()).toMatchObject({ enabled: true, disabled_reason: null, failing_since: null });
    ahead += 2 * DAY;
    await run();
    expect(posted).toHaveLength(before + waiting);
  });

  it("a webhook that its owner turns on while an attempt fails is not turned off by that attempt", async () => {
    answer = () => unreachable;
    await happen();
    await run();
    ahead += 6 * DAY;
    answer = async () => {
      await store.webhooks.update(workspaceId, webhookId, { enabled: true });
      return unreachable;
    };
    await run();
    expect(posted).toHaveLength(2);
    expect(await webhook()).toMatchObject({ enabled: true, disabled_reason: null });
  });

  it("failed deliveries are sent again on request although they have attempts left, and others are not", async () => {
    await happen();
    await run();
    const [delivered] = await list();
    answer = () => unreachable;
    await happen();
    await run();
    const [failed] = await list();
    await happen();
    const since = failed!.created_at;
    expect(await store.deliveries.resendFailed(workspaceId, webhookId, since)).toBe(1);
    answer = () => answered(200);
    await run();
    expect(posted.filter(({ id }) => id === failed!.event_id)).toHaveLength(2);
    expect(posted.filter(({ id }) => id === delivered!.event_id)).toHaveLength(1);
    expect((await list()).map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
  });

  it("a worker that lost its job starts no more deliveries and writes nothing, and the next one sends them again", async () => {
    await happen(30);
    const lost = new AbortController();
    answer = () => {
      lost.abort();
      return answered(200);
    };
    await run(webhookId, lost.signal);
    expect(posted.length).toBeLessThanOrEqual(16);
    const states = (await list()).map(({ state }) => state);
    expect(states.filter((state) => state === "delivered")).toHaveLength(posted.length);

    // Another process has claimed the job in the meantime: the results are not this one's to write.
    const [pending] = (await list()).filter(({ state }) => state === "pending");
    answer = async () => {
      await database.run(`update jobs set owner = 'somebody' where id = '${webhookId}' returning id`);
      return answered(200);
    };
    await expect(run()).rejects.toThrow("claimed by another process");
    expect((await store.deliveries.get(workspaceId, pending!.id))!.state).toBe("pending");
  });

  it("events are kept for their retention, and longer while they have to be delivered", async () => {
    await happen(3);
    answer = (id) => (id === failing ? unreachable : answered(200));
    const { events } = await store.events.list(workspaceId, { after: 0, limit: 10 }, {});
    const failing = events[1]!.id;
    await run();
    const remaining = async () =>
      (await store.events.list(workspaceId, { after: 0, limit: 10 }, {})).events.map(({ id }) => id);
    await sweepEvents(store, 7, { nowMs: now() + 6 * DAY });
    expect(await remaining()).toHaveLength(3);
    await sweepEvents(store, 7, { nowMs: now() + 8 * DAY });
    expect(await remaining()).toEqual([failing]);
    expect((await list()).map(({ event_id }) => event_id)).toEqual([failing]);
    await store.webhooks.update(workspaceId, webhookId, { enabled: false });
    await sweepEvents(store, 7, { nowMs: now() + 8 * DAY });
    expect(await remaining()).toEqual([]);
    expect(await database.run(`select id from deliveries where webhook_id = '${webhookId}'`)).toEqual([]);
    const left = "select id from delivery_attempts where delivery_id not in (select id from deliveries)";
    expect(await database.run(left)).toEqual([]);
  });

  it("processes share the webhooks, and each event goes to each webhook once", async () => {
    const webhooks = [webhookId];
    for (let count = 1; count < 12; count++) webhooks.push(await addWebhook({ "connection.created": true }));
    await happen(3);
    const sent: string[] = [];
    const firstOf = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    // None has room for all webhooks, and none sends more than a first one before the other one has sent something.
    const runners = [store, other].map((shared, index) =>
      createJobRunner({
        store: shared,
        log: { info: () => {}, warn: () => {} },
        kind: "webhook",
        concurrency: 3,
        async run(job, lost) {
          const deliver = createWebhookWorker({
            store: shared,
            log: { info: () => {}, warn: () => {} },
            attempted: () => {},
            async post({ headers }) {
              // Of another test.
              if (!webhooks.includes(job.id)) return answered(200);
              sent.push(`${job.id} ${headers["webhook-id"]}`);
              firstOf[index]!.resolve();
              await firstOf[1 - index]!.promise;
              return answered(200);
            },
          });
          return deliver(job, lost);
        },
      }),
    );
    for (const runner of runners) runner.start();
    await expect.poll(() => sent.length).toBe(webhooks.length * 3);
    await Promise.all(runners.map((runner) => runner.stop()));
    expect(new Set(sent).size).toBe(webhooks.length * 3);
    for (const id of webhooks) expect((await list(id)).map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
  });
});
