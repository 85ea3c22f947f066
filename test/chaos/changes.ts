import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { createPlatform } from "../support/platform.ts";
import { ownPostgres } from "../support/postgres.ts";
import { newDataDir } from "../support/process.ts";
import { readText } from "../support/upstream.ts";
import { createWorkspaces } from "../support/workspace.ts";
import { checkOutputs } from "./checks.ts";
import { type ChaosMember, startMember } from "./members.ts";
import { createRandom, type Random } from "./random.ts";
import { startEmulator } from "./world.ts";

/** Lists that are paged in different ways, and of which the provider filters some by time. */
const LISTS = [
  { provider: "slack", operation: "chat.listChannels", type: "chat.channel", isFiltered: false },
  { provider: "attio", operation: "crm.listContacts", type: "crm.contact", isFiltered: false },
  { provider: "hubspot", operation: "crm.listCompanies", type: "crm.company", isFiltered: false },
  { provider: "gitlab", operation: "git.listIssues", type: "git.issue", isFiltered: true },
] as const;
/** Those whose providers send webhooks to a connection that uses a key. */
const HOOKED_LISTS = [
  { provider: "github", operation: "git.listIssues", type: "git.issue", isFiltered: true },
  { provider: "attio", operation: "crm.listContacts", type: "crm.contact", isFiltered: false },
  { provider: "shortcut", operation: "tasks.listTasks", type: "tasks.task", isFiltered: false },
  { provider: "gitlab", operation: "git.listIssues", type: "git.issue", isFiltered: true },
] as const;
type List = (typeof LISTS)[number] | (typeof HOOKED_LISTS)[number];

export interface ChangesOptions {
  database: "sqlite" | "postgres";
  seed: number;
  /** How many records are changed at the providers. */
  changes: number;
  /** How many are changed before it is waited for their events. */
  batch: number;
  /** Whether webhooks of the providers start the subscriptions, and are lost, doubled, late, forged and out of order. */
  hooks?: boolean;
  /** With webhooks: after how long the interval takes over, in place of waiting for it. Without a limit, it does. */
  runsAfterMs?: number;
  /** Whether records are also deleted from a list that is read incrementally: a full walk comes once a minute. */
  awaitsFullWalk: boolean;
  /** Pause between two outages of a process. */
  calmMs: number;
  /** How many outages of processes there are at least. Without a limit above it a slow machine would never be done. */
  outages: { min: number; max: number };
  log(line: string): void;
}

export interface ChangesReport {
  /** Empty if every promise was kept. */
  problems: string[];
  changes: number;
  events: number;
  /** Requests that the receiver answered with success, and those that it refused. */
  delivered: number;
  refused: number;
  deliveredTwice: number;
  kills: number;
  pauses: number;
  faults: number;
  brokenRuns: number;
  /** Faults of webhooks, and subscriptions that a webhook has started. */
  hookFaults: number;
  hinted: number;
}

const PATIENCE_MS = 150_000;
const EVENTS_PER_PAGE = 100;

/** Two Plugboard processes over one store, emulated providers and a receiver of webhooks, all of which fail. */
export async function runChanges(options: ChangesOptions): Promise<ChangesReport | undefined> {
  const { database, seed, log } = options;
  const random = createRandom(seed);
  const problems: string[] = [];
  const report = (problem: string) => {
    if (problems.length < 100) problems.push(problem);
    log(`PROBLEM  ${problem}`);
  };
  const postgres = database === "postgres" ? await ownPostgres() : undefined;
  if (database === "postgres" && !postgres) return undefined;
  const folder = newDataDir();
  const env = {
    DATA_DIR: folder,
    ...(postgres ? { DATABASE_URL: postgres.url } : {}),
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    SANDBOX: "off",
    ALLOW_PRIVATE_UPSTREAMS: "true",
    UNIFIED_RATE_LIMIT: "1000000/60",
  };
  const [key] = (await createWorkspaces(env, "changes")) as [string];
  const receiver = await startReceiver(random);
  const [emulator, ...members] = await Promise.all([
    startEmulator(),
    startMember("first", env, report),
    startMember("second", env, report),
  ]);
  try {
    const world = { emulator, members, key, random, report, receiver };
    const outcome = await changeAndCheck(world, options);
    await Promise.all(members.map((member) => member.stop()));
    checkOutputs(members, report);
    return { problems, ...outcome };
  } finally {
    for (const member of members) await member.kill();
    await Promise.all([emulator.stop(), receiver.close(), postgres?.drop()]);
    rmSync(folder, { recursive: true, force: true });
  }
}

interface ChangesWorld {
  emulator: Awaited<ReturnType<typeof startEmulator>>;
  members: ChaosMember[];
  key: string;
  random: Random;
  report(problem: string): void;
  receiver: Awaited<ReturnType<typeof startReceiver>>;
}

async function changeAndCheck(
  world: ChangesWorld,
  { changes, batch, calmMs, outages, awaitsFullWalk, hooks = false, runsAfterMs, log }: ChangesOptions,
) {
  const lists: readonly List[] = hooks ? HOOKED_LISTS : LISTS;
  const { emulator, members, key, random, report, receiver } = world;

  /** Calls any process until one answers. */
  async function call(method: string, path: string, body?: unknown): Promise<any> {
    const deadline = Date.now() + PATIENCE_MS;
    for (;;) {
      const answer = await createPlatform(random.pick(members), key)(method, `/v1${path}`, body).catch(() => undefined);
      if (answer && answer.status < 400) return answer.body;
      if (answer && answer.status < 500) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      if (Date.now() > deadline) throw new Error(`${method} ${path}: no answer`);
      await wait(50);
    }
  }
  const control = async (path: string, body: object): Promise<any> => {
    const response = await fetch(`${emulator.url}/${path}`, { method: "POST", body: JSON.stringify(body) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return text && JSON.parse(text);
  };

  const subscriptions: (List & { id: string; parameters: object })[] = [];
  for (const list of lists) {
    const { provider: identifier, operation } = list;
    const { parameters } = await control("_changes", {
      provider: identifier,
      list: operation,
      create: Math.ceil(batch / 2),
    });
    const base_url = `${emulator.url}/${identifier}`;
    const integration = await call("POST", "/integrations", { identifier, type: "api_key", base_url });
    const connection = await call("POST", "/connections", {
      integration_id: integration.id,
      auth_token: `sandbox-${randomUUID()}`,
    });
    const created = await call("POST", "/subscriptions", {
      connection_id: connection.id,
      operation,
      parameters,
      interval_seconds: 60,
      full_walk_seconds: 60,
      poll_with_webhook_seconds: 60,
    });
    subscriptions.push({ ...list, parameters, id: created.id as string });
  }
  await call("POST", "/webhooks", { name: "receiver", url: receiver.url, events: { "*": true } });
  for (const { id } of subscriptions) {
    const deadline = Date.now() + PATIENCE_MS;
    while (!(await call("GET", `/subscriptions/${id}`)).last_run?.finished_at) {
      if (Date.now() > deadline) throw new Error("the first walk did not end");
      await wait(100);
    }
    while (hooks && (await call("GET", `/subscriptions/${id}`)).trigger !== "webhook") {
      if (Date.now() > deadline) throw new Error("there is no webhook");
      await wait(100);
    }
  }

  /** Every event about a record that is in the log, by subscription, type and record; with the ids of the events. */
  const logged = new Map<string, string[]>();
  let position = "";
  async function readLog(): Promise<void> {
    for (;;) {
      const page = await call("GET", `/events?limit=${EVENTS_PER_PAGE}${position && `&after=${position}`}`);
      for (const { id, type, data } of page.data) {
        if (!data.record) continue;
        const what = `${data.subscription_id} ${type} ${data.record.id}`;
        logged.set(what, [...(logged.get(what) ?? []), id]);
      }
      position = page.next;
      if (page.data.length < EVENTS_PER_PAGE) return;
    }
  }

  const counts = { kills: 0, pauses: 0, faults: 0, brokenRuns: 0, hookFaults: 0, hinted: 0 };
  let isOver = false;
  async function breakProcesses(): Promise<void> {
    for (let made = 0; made < outages.max; made += 1) {
      await wait(random.between(calmMs / 2, calmMs * 1.5));
      if (isOver && made >= outages.min) return;
      const member = random.pick(members);
      if (random.happens(0.7)) {
        counts.kills += 1;
        await member.kill();
        await wait(random.between(50, 1_000));
        await member.start();
      } else {
        counts.pauses += 1;
        member.pause();
        await wait(random.between(200, 3_000));
        member.resume();
      }
    }
  }
  async function breakProviders(): Promise<void> {
    while (!isOver) {
      await wait(random.between(300, 1_500));
      const { provider } = random.pick(lists);
      const fault = random.pick([{ status: 500 }, { status: 429, retry_after: 1 }, { drop: true }, { truncate: true }]);
      counts.faults += 1;
      await control("_faults", { provider, times: random.between(1, 3), ...fault });
    }
  }

  async function breakHooks(): Promise<void> {
    while (!isOver) {
      const { provider } = random.pick(lists);
      const fault = random.pick(["lose", "double", "reorder", "forge"] as const);
      counts.hookFaults += 1;
      await control("_hooks", { provider, [fault]: random.between(1, 4), delay_ms: random.between(0, 1_000) });
      await wait(random.between(300, 1_000));
    }
  }

  /** Each change must be in the log, whatever fails meanwhile. */
  async function awaitEvents(expected: string[]): Promise<void> {
    const started = Date.now();
    const deadline = started + PATIENCE_MS;
    const isByHooks = () => hooks && Date.now() - started < (runsAfterMs ?? PATIENCE_MS);
    for (;;) {
      await readLog();
      const missing = expected.filter((what) => !logged.has(what));
      if (missing.length === 0) return;
      if (Date.now() > deadline) {
        const late = subscriptions.filter(({ id }) => missing.some((what) => what.startsWith(id)));
        const runs = await Promise.all(late.map(({ id }) => call("GET", `/subscriptions/${id}`)));
        const states = JSON.stringify(
          runs.map(({ id, status, reason, last_run }) => ({ id, status, reason, last_run })),
        );
        return report(`${missing.length} changes are not in the log: ${missing.slice(0, 5)}; ${states}`);
      }
      for (const { id } of isByHooks() ? [] : subscriptions)
        if (missing.some((what) => what.startsWith(id))) await call("POST", `/subscriptions/${id}/run`);
      await wait(300);
      for (const { id } of subscriptions) {
        const { last_run } = await call("GET", `/subscriptions/${id}`);
        if (last_run.error) counts.brokenRuns += 1;
      }
    }
  }

  const breaking = [breakProcesses(), breakProviders(), ...(hooks ? [breakHooks()] : [])];
  const everything: string[] = [];
  for (let made = 0; made < changes; ) {
    const expected: string[] = [];
    const share = Math.ceil(Math.min(batch, changes - made) / lists.length);
    const isFullWalkDue = awaitsFullWalk && made + batch >= changes;
    for (const { id, provider, operation, parameters, type, isFiltered } of subscriptions) {
      const create = Math.ceil(share * 0.4);
      const update = Math.ceil(share * 0.3);
      // A webhook says when a record was deleted, and the whole list is then read.
      const deletes = isFiltered && !isFullWalkDue && !hooks ? 0 : share - create - update;
      const wanted = { create, update, delete: deletes };
      const done = await control("_changes", { provider, list: operation, parameters, ...wanted });
      for (const kind of ["created", "updated", "deleted"] as const)
        for (const record of done[kind]) expected.push(`${id} ${type}.${kind} ${record}`);
    }
    made += expected.length;
    everything.push(...expected);
    await awaitEvents(expected);
    log(`${made} changes, ${counts.kills} kills, ${counts.pauses} pauses, ${counts.faults} faults`);
  }
  isOver = true;
  await Promise.all(breaking);
  for (const { id } of subscriptions) if ((await call("GET", `/subscriptions/${id}`)).last_hint_at) counts.hinted += 1;
  await fetch(`${emulator.url}/_faults`, { method: "DELETE" });
  receiver.setFaulty(false);

  // Two more runs of everything: whatever is told twice or deleted wrongly would be told now.
  for (let runs = 0; runs < 2; runs++)
    for (const { id } of subscriptions) {
      const before = (await call("GET", `/subscriptions/${id}`)).last_run.finished_at ?? "";
      await call("POST", `/subscriptions/${id}/run`);
      const deadline = Date.now() + PATIENCE_MS;
      for (;;) {
        const { last_run } = await call("GET", `/subscriptions/${id}`);
        if (last_run.finished_at > before) break;
        if (Date.now() > deadline) {
          report(`${id} did not run again`);
          break;
        }
        await wait(200);
      }
    }
  await readLog();
  const wanted = new Map<string, number>();
  for (const what of everything) wanted.set(what, (wanted.get(what) ?? 0) + 1);
  for (const [what, ids] of logged)
    if (ids.length !== wanted.get(what))
      report(`${what} is in the log ${ids.length} times instead of ${wanted.get(what) ?? 0}`);
  for (const what of wanted.keys()) if (!logged.has(what)) report(`${what} is not in the log`);

  const ids = [...logged.values()].flat();
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const undelivered = ids.filter((id) => !receiver.delivered.has(id));
    if (undelivered.length === 0) break;
    if (Date.now() > deadline) {
      report(`${undelivered.length} events were not delivered`);
      break;
    }
    await wait(500);
  }
  for (const [id, { bodies }] of receiver.delivered)
    if (bodies.size !== 1) report(`the event ${id} was delivered with ${bodies.size} different bodies`);
  const deliveries = [...receiver.delivered.values()];
  return {
    changes: everything.length,
    events: ids.length,
    delivered: deliveries.reduce((sum, { times }) => sum + times, 0),
    deliveredTwice: deliveries.filter(({ times }) => times > 1).length,
    refused: receiver.refused(),
    ...counts,
  };
}

/** Receives webhooks, and fails at random. */
async function startReceiver(random: Random) {
  const delivered = new Map<string, { times: number; bodies: Set<string> }>();
  let refused = 0;
  let isFaulty = true;
  const server = createServer(async (request, response) => {
    const body = await readText(request);
    const id = String(request.headers["webhook-id"]);
    // A delivery that has failed waits for seconds or minutes: each fails at most once, so that this ends.
    if (isFaulty && !delivered.has(id) && !failedOnce.has(id) && random.happens(0.03)) {
      refused += 1;
      failedOnce.add(id);
      if (random.happens(0.5)) request.socket.destroy();
      else response.writeHead(random.pick([429, 500, 503]), { "retry-after": "1" }).end();
      return;
    }
    const known = delivered.get(id) ?? { times: 0, bodies: new Set<string>() };
    known.times += 1;
    known.bodies.add(body);
    delivered.set(id, known);
    response.writeHead(204).end();
  });
  const failedOnce = new Set<string>();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    delivered,
    refused: () => refused,
    setFaulty(value: boolean) {
      isFaulty = value;
    },
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}
