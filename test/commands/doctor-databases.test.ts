// Every misconfiguration of SQLite, Postgres and Redis that `plugboard doctor` finds, on real servers.
import { hash } from "node:crypto";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { FindingId } from "../../src/commands/doctor/findings.ts";
import { readConfig } from "../../src/config/index.ts";
import { openStore } from "../../src/open-store.ts";
import { createLogger } from "../../src/runtime/logger.ts";
import { inspectDatabase, refuseWrites } from "../../src/store/inspect.ts";
import { createAuthority } from "../support/certificates.ts";
import { type AnyDatabase, testDatabases } from "../support/databases.ts";
import { expectFinding, findings, SECRET, type Settings } from "../support/doctor.ts";
import { type OwnPostgres, ownPostgres, query, testDatabase } from "../support/postgres.ts";
import { newDataDir } from "../support/process.ts";
import { type OwnRedis, ownRedis, testRedis } from "../support/redis.ts";

const folder = newDataDir();
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const ENCRYPTION_KEY = hash("sha256", "doctor", "base64");
const base: Settings = { PORT: "0", SANDBOX: "off", DATA_DIR: join(folder, "data"), ENCRYPTION_KEY };
const hour = { now: () => Date.now() + 3_600_000 };

async function createTables(env: Settings): Promise<void> {
  const { store } = await openStore(readConfig(env), createLogger("silent"));
  await store.close();
}

describe.each(await testDatabases())("the tables on $name", (database: AnyDatabase) => {
  const env = { ...base, ...database.env };
  beforeAll(() => createTables(env));
  afterAll(() => database.drop());

  it(`a database of an earlier version on ${database.name} is found: migrations-pending`, async () => {
    expect(await findings(env)).toEqual([]);
    await database.run("update schema_version set version = version - 1");
    await expectFinding(env, "migrations-pending", /has schema version \d+, and this version of Plugboard needs/);
    expect(await database.run("select version from schema_version")).not.toEqual([]);
    await database.run("update schema_version set version = version + 1");
  });

  it(`a database of a newer version on ${database.name} is found: database-newer`, async () => {
    await database.run("update schema_version set version = version + 1");
    await expectFinding(env, "database-newer", /supports up to/);
    await database.run("update schema_version set version = version - 1");
  });

  it(`what reads the database on ${database.name} cannot write to it`, async () => {
    const write = inspectDatabase(database.url, async (connection) => {
      if (database.name === "Postgres") await refuseWrites(connection);
      return connection.deleteFrom("encryption_keys").execute();
    });
    await expect(write).rejects.toThrow(/read.?only/);
    expect(await database.run("select id from encryption_keys")).toHaveLength(1);
  });

  it(`another key than that of the database on ${database.name} is found: key-wrong`, async () => {
    const other = { ...env, ENCRYPTION_KEY: hash("sha256", "other", "base64") };
    await expectFinding(other, "key-wrong", /^ENCRYPTION_KEY: the database's secrets are encrypted with key/);
    expect(await findings(env)).toEqual([]);
  });
});

it("an SQLite file that is damaged is found: database-unreadable", async () => {
  const DATA_DIR = join(folder, "damaged");
  mkdirSync(DATA_DIR);
  writeFileSync(join(DATA_DIR, "plugboard.db"), "this is not a database".repeat(100), { mode: 0o600 });
  await expectFinding({ ...base, DATA_DIR }, "database-unreadable", /file is not a database/);
});

describe("Postgres", () => {
  const authority = createAuthority();
  let server: OwnPostgres;
  let url: URL;
  beforeAll(async () => {
    server = (await ownPostgres({ certificate: authority.issue("DNS:elsewhere.test") }))!;
    url = new URL(server.url);
    const run = (statement: string) => query(server.url, statement);
    for (const [role, options] of [
      ["strict", `password '${SECRET}'`],
      ["encrypted", ""],
      ["limited", "connection limit 5"],
      ["reader", ""],
      ["careless", ""],
      ["visitor", ""],
    ])
      await run(`create role ${role} login ${options}`);
    await run("alter role reader set default_transaction_read_only = on");
    await run("alter role careless set synchronous_commit = off");
    await run("alter role visitor set search_path = nowhere");
    await run("create database latin encoding 'LATIN1' lc_collate 'C' lc_ctype 'C' template template0");
    await run("grant create on schema public to public");
    const [{ hba_file }] = await run("show hba_file");
    const rules = [
      "host all strict all scram-sha-256",
      "hostssl all encrypted all trust",
      "hostnossl all encrypted all reject",
      "hostnossl all all all trust",
    ];
    await run(`copy (select unnest(array['${rules.join("','")}'])) to '${hba_file}'`);
    await run("select pg_reload_conf()");
  });
  afterAll(async () => {
    await server?.drop();
    authority.remove();
  });

  /** The address with changes. */
  const at = (change: Partial<Pick<URL, "username" | "password" | "pathname" | "port" | "search">>): Settings => ({
    ...base,
    DATABASE_URL: Object.assign(new URL(url), change).href,
  });

  const cases: [string, () => Settings, FindingId, RegExp][] = [
    [
      "no server",
      () => at({ port: "1", password: SECRET }),
      "postgres-unreachable",
      /127\.0\.0\.1:1 cannot be used: ECONNREFUSED/,
    ],
    [
      "a wrong password",
      () => at({ username: "strict", password: `${SECRET}-wrong` }),
      "postgres-refused",
      /refuses the user strict \(28P01\)/,
    ],
    [
      "an unknown user",
      () => at({ username: "nobody", password: SECRET }),
      "postgres-refused",
      /refuses the user nobody/,
    ],
    ["a missing database", () => at({ pathname: "/missing" }), "postgres-database-missing", /has no database missing/],
    [
      "a server that requires TLS",
      () => at({ username: "encrypted" }),
      "postgres-tls",
      /does not let this user in without TLS/,
    ],
    [
      "a certificate that is not trusted",
      () => at({ username: "encrypted", search: "?sslmode=verify-full" }),
      "postgres-tls",
      /certificate/,
    ],
    ["another encoding", () => at({ pathname: "/latin" }), "postgres-encoding", /LATIN1/],
    [
      "a limit of connections",
      () => at({ username: "limited" }),
      "postgres-connections",
      /can have 5 connections.* but 11 are needed/,
    ],
    ["a read-only database", () => at({ username: "reader" }), "postgres-read-only", /read-only/],
    [
      "writes that are not durable",
      () => at({ username: "careless" }),
      "postgres-durability",
      /synchronous_commit is off/,
    ],
    ["a schema that does not exist", () => at({ username: "visitor" }), "postgres-rights", /names no schema/],
  ];
  it.each(cases)("%s is found", async (_, settings, id, problem) => {
    await expectFinding(settings(), id, problem);
  });

  it("a user who may not create tables is found: postgres-rights", async () => {
    await query(server.url, "revoke create on schema public from public");
    await expectFinding(
      at({ username: "strict", password: SECRET }),
      "postgres-rights",
      /may not create tables in the schema public/,
    );
    await query(server.url, "grant create on schema public to public");
  });

  it("an empty database is healthy, and stays empty", async () => {
    expect(await findings(at({ username: "strict", password: SECRET }))).toEqual([]);
    expect(await query(server.url, "select * from pg_tables where schemaname = 'public'")).toEqual([]);
  });

  it("more workers than Postgres has connections for are found: postgres-connections", async () => {
    const redis = (await testRedis())!;
    const settings = { ...at({}), WORKERS: "20", REDIS_URL: redis.url };
    await expectFinding(settings, "postgres-connections", /97 connections.* but 201 are needed/);
    await redis.drop();
  });

  it("a clock that differs from that of Postgres is found: clock-differs", async () => {
    await expectFinding(at({}), "clock-differs", /3600 s ahead of that of Postgres/, hour);
  });
});

describe("Redis", () => {
  const servers: OwnRedis[] = [];
  async function start(...settings: string[]): Promise<OwnRedis> {
    const server = (await ownRedis({ settings }))!;
    servers.push(server);
    return server;
  }
  afterAll(() => Promise.all(servers.map((server) => server.drop())));

  const withRedis = (url: string, user = ""): Settings => ({
    ...base,
    REDIS_URL: user ? url.replace("//", `//${user}@`) : url,
  });
  /** Runs commands as a user who may do everything. */
  async function run(url: string, work: (client: Redis) => Promise<unknown>): Promise<void> {
    const client = new Redis(url);
    await work(client);
    client.disconnect();
  }

  it("a server with a password and a large memory is healthy", async () => {
    const { url } = await start("--requirepass", SECRET, "--maxmemory", "100mb");
    expect(await findings(withRedis(url, `:${SECRET}`))).toEqual([]);
    await expectFinding(withRedis(url), "redis-refused", /refuses the user or the password \(NOAUTH\)/);
    await expectFinding(withRedis(url, `:${SECRET}-wrong`), "redis-refused", /\(WRONGPASS\)/);
    const admin = url.replace("//", `//:${SECRET}@`);
    await run(admin, (client) =>
      client.call("ACL", "SETUSER", "limited", "on", `>${SECRET}`, "~*", "+info", "+time", "+ping"),
    );
    await expectFinding(withRedis(url, `limited:${SECRET}`), "redis-rights", /does not let this user run/);
    await expectFinding(withRedis(admin), "clock-differs", /3600 s ahead of that of Redis/, hour);
  });

  it("no server, or no Sentinel, is found: redis-unreachable", async () => {
    const problem = /127\.0\.0\.1:1 cannot be used: ECONNREFUSED/;
    await expectFinding(withRedis("redis://127.0.0.1:1", `:${SECRET}`), "redis-unreachable", problem);
    const sentinels = `redis+sentinel://:${SECRET}@127.0.0.1:1,127.0.0.1:2/main?sentinel_password=${SECRET}`;
    await expectFinding(
      withRedis(sentinels),
      "redis-unreachable",
      /Redis main of the Sentinels 127\.0\.0\.1:1, 127\.0\.0\.1:2/,
    );
  });

  it("a Redis Cluster is found: redis-cluster", async () => {
    const { url } = await start("--cluster-enabled", "yes");
    await expectFinding(withRedis(url), "redis-cluster", /part of a Redis Cluster/);
  });

  it("a replica is found: redis-read-only", async () => {
    const { url } = await start("--replicaof", "127.0.0.1 1");
    await expectFinding(withRedis(url), "redis-read-only", /is a replica/);
  });

  it("a server that is full, or removes keys, is found: redis-memory, redis-evicts", async () => {
    const full = await start("--maxmemory", "2mb");
    await run(full.url, (client) => client.call("SETRANGE", "filling", 1_000_000, "x"));
    await run(full.url, async (client) => {
      const used = Number(/used_memory:(\d+)/.exec(await client.info("memory"))![1]);
      await client.config("SET", "maxmemory", Math.ceil(used * 1.02));
    });
    await expectFinding(withRedis(full.url), "redis-memory", /uses \d+ % of its memory/);

    const evicting = await start("--maxmemory-policy", "allkeys-lru");
    await run(evicting.url, async (client) => {
      for (const key of "abcdefgh") await client.set(key, "x".repeat(100_000));
      const used = Number(/used_memory:(\d+)/.exec(await client.info("memory"))![1]);
      await client.config("SET", "maxmemory", used - 300_000);
      await client.set("last", "x");
      await client.config("SET", "maxmemory", 0);
    });
    await expectFinding(withRedis(evicting.url), "redis-evicts", /has removed \d+ keys .*\(allkeys-lru\)/);
  });
});

it("an installation on Postgres and Redis is healthy", async () => {
  const [postgres, redis] = [(await testDatabase())!, (await testRedis())!];
  const env = { ...base, DATABASE_URL: postgres.url, REDIS_URL: redis.url };
  await createTables(env);
  try {
    expect(await findings(env)).toEqual([]);
  } finally {
    await postgres.drop();
    await redis.drop();
  }
});
