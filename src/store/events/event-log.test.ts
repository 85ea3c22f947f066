import { randomBytes, randomUUID } from "node:crypto";
import { Kysely } from "kysely";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeDatabases } from "../../../test/support/databases.ts";
import { type EventStore, type Job, JobLost, type NewEvent } from "../../contracts/events.ts";
import { createWriter, type Writer } from "../database/group-commit.ts";
import { openPostgres } from "../database/postgres.ts";
import type { Database } from "../database/schema.ts";
import { openSqlite } from "../database/sqlite.ts";
import { createStamp } from "../database/time.ts";
import { createStore } from "../index.ts";
import { keysFromText } from "../secrets/key-source.ts";
import { createStoredSecrets } from "../secrets/stored-secrets.ts";
import { createKeyring } from "../secrets/vault.ts";
import { appendEvents, eventLog } from "./event-log.ts";
import { assertOwned, jobs } from "./jobs.ts";

await describeDatabases("event log", (database) => {
  const keyring = createKeyring(keysFromText(randomBytes(32).toString("base64")));
  const stamp = createStamp();
  let log: EventStore["events"];
  let work: EventStore["jobs"];
  let direct: Kysely<Database>;
  let writer: Writer;
  let workspaceId: string;
  beforeAll(async () => {
    const store = await createStore({ url: database.url, keyring });
    workspaceId = `ws_${randomUUID()}`;
    await store.workspaces.create({ id: workspaceId, name: "Acme", client_id: randomUUID(), redirect_uris: [] });
    await store.close();
    const { url } = database;
    const engine = url.startsWith("sqlite:") ? openSqlite(url.slice(7)) : await openPostgres(url, "serving");
    direct = new Kysely<Database>({ dialect: engine.dialect });
    const secrets = createStoredSecrets(keyring);
    const { clock, skipLocked, metadataTerm } = engine;
    writer = createWriter(direct, engine.groupsCommits);
    const shared = { keyring, secrets, stamp, clock, skipLocked, metadataTerm, eventsWritten() {} };
    const context = { database: direct, ...writer, ...shared };
    log = eventLog(context, () => {});
    work = jobs(context);
  });
  afterAll(() => direct.destroy());

  const event = (number: number, change: Partial<NewEvent> = {}): NewEvent => ({
    workspace_id: workspaceId,
    type: "tasks.task.created",
    connection_id: "conn_1",
    data: { number, secret: "hush payload" },
    ...change,
  });
  const append = (...events: NewEvent[]) =>
    direct.transaction().execute((transaction) => appendEvents(transaction, { keyring, stamp }, events));
  const publishAll = async () => {
    while ((await log.publish(7)) > 0);
  };
  const list = (after: number, limit = 100, filter = {}) => log.list(workspaceId, { after, limit }, filter);

  it("the log has events once they are published, in the order in which they were written", async () => {
    const start = await log.newest(workspaceId);
    await append(...Array.from({ length: 20 }, (_, number) => event(number)));
    expect((await list(start)).events).toEqual([]);
    await publishAll();
    const { events, position } = await list(start);
    expect(events.map(({ data }) => data.number)).toEqual(Array.from({ length: 20 }, (_, number) => number));
    expect(position).toBe(await log.newest(workspaceId));
    expect(await list(position)).toEqual({ events: [], position });
    expect(await log.publish(10)).toBe(0);
  });

  it("the log is read page by page without gaps while others write and publish", async () => {
    const start = await log.newest(workspaceId);
    const read: number[] = [];
    let position = start;
    let writing = true;
    const reader = (async () => {
      for (;;) {
        const last = !writing;
        const page = await list(position, 5);
        position = page.position;
        for (const { data } of page.events) read.push(data.number as number);
        if (last && page.events.length === 0) return;
      }
    })();
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let count = 0; count < 10; count++) {
          await append(event(writer * 100 + count));
          await log.publish(3);
        }
      }),
    );
    await publishAll();
    writing = false;
    await reader;
    const wanted = Array.from({ length: 80 }, (_, index) => Math.floor(index / 10) * 100 + (index % 10));
    expect(read.toSorted((one, other) => one - other)).toEqual(wanted);
  });

  it("a reader continues after the database was restored to an earlier state", async () => {
    const { last } = await direct.selectFrom("event_positions").select("last").executeTakeFirstOrThrow();
    await append(...Array.from({ length: 5 }, (_, number) => event(number)));
    await publishAll();
    const publishedAt = Date.now();
    const position = await log.newest(workspaceId);
    await direct.deleteFrom("events").execute();
    await direct.updateTable("event_positions").set({ last }).execute();
    await expect.poll(Date.now).toBeGreaterThan(publishedAt);
    await append(event(6));
    await publishAll();
    expect((await list(position)).events.map(({ data }) => data.number)).toEqual([6]);
  });

  it("other work of the process runs while an event is published to many webhooks", async () => {
    const created_at = stamp();
    const webhooks = Array.from({ length: 500 }, (_, number) => ({
      id: `wh_${number}`,
      workspace_id: workspaceId,
      name: "Many",
      url: "encrypted",
      events: '{"tasks.*":true}',
      enabled: 1,
      disabled_reason: null,
      failing_since: null,
      secret: "encrypted",
      previous_secret: null,
      previous_secret_expires_at: null,
      created_at,
      updated_at: created_at,
    }));
    await direct.insertInto("webhooks").values(webhooks).execute();
    await append(event(1), event(2, { type: "connection.deleted" }), event(3));
    let turns = 0;
    let isPublished = false;
    const count = () => {
      turns += 1;
      if (!isPublished) setImmediate(count);
    };
    setImmediate(count);
    await log.publish(10);
    isPublished = true;
    // Of 1,000 deliveries, at most 200 in one piece.
    expect(turns).toBeGreaterThanOrEqual(5);
    const deliveries = await direct.selectFrom("deliveries").select(["webhook_id", "event_id"]).execute();
    expect(new Set(deliveries.map(({ webhook_id, event_id }) => `${webhook_id} ${event_id}`)).size).toBe(1000);
    await direct.deleteFrom("webhooks").execute();
  });

  it("an expired event that is not published yet is kept", async () => {
    const start = await log.newest(workspaceId);
    await append(event(1));
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString();
    await log.sweep(tomorrow, 1000);
    await publishAll();
    expect((await list(start)).events).toHaveLength(1);
    await log.sweep(tomorrow, 1000);
    expect((await list(start)).events).toEqual([]);
  });

  it("the log is filtered by type and connection, and separated by workspace", async () => {
    const start = await log.newest(workspaceId);
    await append(event(1), event(2, { type: "connection.deleted" }), event(3, { connection_id: null }));
    await publishAll();
    const numbers = async (filter: object) => (await list(start, 100, filter)).events.map(({ data }) => data.number);
    expect(await numbers({ types: ["connection.deleted"] })).toEqual([2]);
    expect(await numbers({ connection_ids: ["conn_1"] })).toEqual([1, 2]);
    expect(await numbers({ connection_ids: [] })).toEqual([]);
    expect((await log.list("ws_other", { after: 0, limit: 10 }, {})).events).toEqual([]);
    expect(await log.newest("ws_other")).toBe(0);
  });

  it("the log has payloads encrypted at rest, and no events of a transaction that was rolled back", async () => {
    const start = await log.newest(workspaceId);
    const failed = direct.transaction().execute(async (transaction) => {
      await appendEvents(transaction, { keyring, stamp }, [event(1)]);
      throw new Error("rolled back");
    });
    await expect(failed).rejects.toThrow("rolled back");
    await publishAll();
    expect((await list(start)).events).toEqual([]);
    expect(await database.bytes()).not.toContain("hush payload");
  });

  it("the log has no events of a job that another process has claimed meanwhile", async () => {
    const start = await log.newest(workspaceId);
    await work.add("sub_1", "subscription", 0);
    const [job] = await work.claim("subscription", "first", 1, 60_000);
    const write = (claimed: Job) =>
      writer.write(async (transaction) => {
        await assertOwned(transaction, claimed);
        await appendEvents(transaction, { keyring, stamp }, [event(1)]);
      });
    const lost = expect(write({ ...job!, owner: "second" })).rejects.toThrow(JobLost);
    await write(job!);
    await lost;
    await publishAll();
    expect((await list(start)).events).toHaveLength(1);
  });
});
