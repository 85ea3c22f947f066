// In a large installation, no list of the Platform API and no page of the dashboard reads a whole table. Judged by the
// plans of all their queries, not by time: what is read must not depend on how much there is.
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { signIn } from "../dashboard/support/visitor.ts";
import { type AnyDatabase, testDatabases } from "../support/databases.ts";
import { createKey, fill, type Sizes } from "../support/large-installation.ts";
import { BOUND_LISTS, lists, pages } from "../support/lists-and-pages.ts";
import { type RecordedStatement, recordStatements } from "../support/recorded-statements.ts";
import { startService, type TestService } from "../support/service.ts";

/** SQLite says what it would read, whatever there is. */
const SIZES: Record<AnyDatabase["name"], Sizes> = {
  SQLite: { connections: 10_000, entries: 10_000 },
  Postgres: { connections: 20_000, entries: 50_000 },
};
/** In all steps of a query's plan: a page, what is counted to choose an index, and joined rows. */
const MAX_ROWS = 2_500;
/** A condition on them must be in an index; others have a limited number of rows. */
const GROWING = ["connections", "events", "deliveries", "audit_log", "subscriptions"];
const SCANNED = [
  "log_batches",
  "connection_metadata",
  "found",
  "other",
  "delivery_attempts",
  "mcp_grants",
  "jobs",
  "api_keys",
];
/** Not conditions. */
const PAGING = ["limit", "offset", "after", "before", "order"];

let recorded: RecordedStatement[] = [];
beforeAll(() => recordStatements((statement) => recorded.push(statement)));
afterAll(() => vi.restoreAllMocks());

const isRead = ({ text }: RecordedStatement) => /^(select|with)\b/i.test(text);

interface PlanNode {
  "Node Type": string;
  "Relation Name"?: string;
  "Actual Rows": number;
  "Actual Loops": number;
  "Rows Removed by Filter"?: number;
  "Rows Removed by Index Recheck"?: number;
  Plans?: PlanNode[];
}

const rowsRead = (node: PlanNode): number =>
  (node["Relation Name"]
    ? node["Actual Loops"] *
      (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0))
    : 0) + (node.Plans ?? []).reduce((sum, child) => sum + rowsRead(child), 0);

let explainer: pg.Client | undefined;
afterAll(() => explainer?.end());

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  // The tables of a test are small enough to be read as a whole, if another way exists.
  await client.query("set enable_seqscan = off");
  return client;
}

/** What is wrong with a statement's plan. */
async function problemOf(
  { name, url, run }: AnyDatabase,
  statement: RecordedStatement,
  isFiltered: boolean,
): Promise<string[]> {
  const { text, parameters } = statement;
  if (name === "Postgres") {
    explainer ??= await connect(url);
    const { rows } = await explainer.query(`explain (analyze, format json) ${text}`, [...parameters]);
    const read = rowsRead(rows[0]["QUERY PLAN"][0].Plan);
    return read > MAX_ROWS ? [`${read} rows are read by: ${text}`] : [];
  }
  const plan = (await run(`explain query plan ${text}`)) as { detail: string }[];
  return plan.flatMap(({ detail }) => {
    const [, way, table, , conditions] = /^(SCAN|SEARCH) (\w+)( USING .* \((.*)\))?/.exec(detail) ?? [];
    if (table === undefined || ![...GROWING, ...SCANNED].includes(table)) return [];
    const isWhole =
      way === "SCAN" || (isFiltered && GROWING.includes(table) && /^\w+=\?( AND \w+[<>]\?)*$/.test(conditions ?? ""));
    // An index of what is to be published, and the end of an index.
    if (detail.includes("events_unpublished") || text.startsWith("select max(")) return [];
    const byId = /^(id|delivery_id|connection_id|event_id|hash)=\?$/.test(conditions ?? "");
    return isWhole && !byId ? [`${detail} in: ${text}`] : [];
  });
}

for (const database of await testDatabases())
  describe(`a large installation on ${database.name}`, () => {
    const sizes = SIZES[database.name];
    let service: TestService;
    let key: string;
    let boundKey: string;
    let cookie: string;
    let webhook: string;
    const checked = new Set<string>();

    beforeAll(async () => {
      recorded = [];
      service = await startService({ env: { ...database.env, LOG_LEVEL: "silent", EVENT_RETENTION_DAYS: "30" } });
      // The request log is trimmed right after the start: that belongs to no request.
      const isTrimming = ({ text }: RecordedStatement) => text.startsWith('delete from "log_batches"');
      await vi.waitUntil(() => recorded.some(isTrimming), { timeout: 60_000 });
      await fill(service.store, database.run, sizes);
      if (database.name === "Postgres") await database.run("analyze");
      const workspace = (await service.store.workspaces.byName("large"))!;
      key = await createKey(service.store, workspace.id);
      boundKey = await createKey(service.store, workspace.id, "user-3959");
      [{ id: webhook }] = (await database.run("select id from webhooks limit 1")) as [{ id: string }];
      ({ cookie } = await signIn(service, "large"));
    }, 240_000);
    afterAll(async () => {
      await service.close();
      await database.drop();
    });

    /** Makes a request, and checks each query that it led to. */
    async function problemsOf(url: string, headers: Record<string, string>, isFiltered: boolean): Promise<string[]> {
      recorded = [];
      const response = await fetch(service.url + url, { headers });
      const body = await response.text();
      expect(response.status, `${url}: ${body.slice(0, 300)}`).toBe(200);
      const statements = recorded.filter(isRead);
      expect(statements.length).toBeGreaterThan(0);
      const problems: string[] = [];
      for (const one of statements) {
        const known = JSON.stringify([one, isFiltered]);
        if (checked.has(known)) continue;
        checked.add(known);
        for (const problem of await problemOf(database, one, isFiltered)) problems.push(`${url}: ${problem}`);
      }
      return problems;
    }

    it("a list reads no more than its page, whatever it is filtered by", async () => {
      const problems: string[] = [];
      for (const [list, queries] of Object.entries(lists(sizes, webhook)))
        for (const query of queries) {
          const isFiltered = [...new URLSearchParams(query)].some(
            ([name, value]) => value !== "*" && !PAGING.includes(name),
          );
          const headers = { authorization: `Bearer ${key}` };
          problems.push(...(await problemsOf(`/platform/v1/${list}?${query}`, headers, isFiltered)));
        }
      expect(problems).toEqual([]);
    }, 240_000);

    it("a list of a key that is bound to a user reads no more than its page", async () => {
      const problems: string[] = [];
      for (const list of BOUND_LISTS)
        problems.push(...(await problemsOf(`/platform/v1/${list}`, { authorization: `Bearer ${boundKey}` }, true)));
      expect(problems).toEqual([]);
    }, 60_000);

    it("a page of the dashboard reads no more than it shows", async () => {
      const { entries } = await service.store.requestLog.list(
        (await service.store.workspaces.byName("large"))!.id,
        { offset: 0, limit: 1 },
        {},
      );
      const problems: string[] = [];
      for (const page of pages(sizes, webhook, entries[0]!.id))
        problems.push(...(await problemsOf(`/dashboard${page}`, { cookie }, false)));
      expect(problems).toEqual([]);
    }, 240_000);

    it("every list is measured, with each of its filters", async () => {
      const document = (await (await fetch(`${service.url}/platform/openapi.json`)).json()) as any;
      const measured = lists(sizes, "{id}");
      const missing = Object.entries<any>(document.paths).flatMap(([path, { get }]) => {
        const names: string[] = (get?.parameters ?? [])
          .filter((one: any) => one.in === "query")
          .map((one: any) => one.name);
        if (names.length === 0) return [];
        const queries = measured[path.replace(/^.*\/v1\//, "")];
        if (!queries) return [path];
        const given = queries
          .flatMap((query) => [...new URLSearchParams(query).keys()])
          .map((name) => name.split("[")[0]!);
        return names
          .filter((name) => ![...PAGING, "wait"].includes(name) && !given.includes(name.split("[")[0]!))
          .map((name) => `${path}?${name}`);
      });
      expect(missing).toEqual([]);
    });
  });
