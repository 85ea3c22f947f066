import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { Agent, request } from "undici";
import type { ChaosMember } from "./members.ts";
import type { Random } from "./random.ts";
import type { Timeline } from "./timeline.ts";
import { type Answer, judgeEmulated, judgeList, judgePlatform, judgeProxy, type Verdict } from "./verdicts.ts";
import { type Connected, PROXY_LIMIT, type World } from "./world.ts";

/** By then every process knows of a change that another made: see test/degrade/invalidation.test.ts. */
const INVALIDATED_AFTER_MS = 6000;
const MAX_CALL_MS = 30_000;
const WORKERS = 10;

interface CreatedConnection extends Connected {
  deletedAt?: number;
}

interface CreatedKey {
  id: string;
  key: string;
  revokedAt?: number;
}

export interface TrafficOptions {
  world: World;
  random: Random;
  timeline: Timeline;
  report(problem: string): void;
}

/** Clients that know the right answers and remember what was confirmed to them. */
export function createTraffic({ world, random, timeline, report }: TrafficOptions) {
  const { members, connected, emulated, provider, scratch } = world;
  const dispatcher = new Agent({ connections: 64 });
  const counts = new Map<string, number>();
  /** Accounts whose connection was reported to be permanently invalid. */
  const reportedInvalid = new Set<string>();
  const createdConnections: CreatedConnection[] = [];
  const createdKeys: CreatedKey[] = [];
  const answeredNotes: string[] = [];
  let bursts = 0;
  let stopped = false;
  let numbers = 0;

  const count = (what: string): void => {
    counts.set(what, (counts.get(what) ?? 0) + 1);
  };
  const any = (): ChaosMember => random.pick(members);

  interface Call {
    method?: "GET" | "POST" | "DELETE";
    key: string;
    connection?: string;
    idempotencyKey?: string;
    body?: string | object;
  }

  /** Undefined if there was no complete answer. */
  async function call(member: ChaosMember, path: string, options: Call): Promise<Answer | undefined> {
    const { method = "GET", key, connection, idempotencyKey, body } = options;
    try {
      const response = await request(member.url + path, {
        dispatcher,
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(connection ? { "svc-connection-id": connection } : {}),
          ...(idempotencyKey ? { "idempotency-key": idempotencyKey } : {}),
          ...(typeof body === "object" ? { "content-type": "application/json" } : {}),
        },
        ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
        signal: AbortSignal.timeout(MAX_CALL_MS),
      });
      const text = await response.body.text();
      return { status: response.statusCode, body: parse(text) };
    } catch {
      // The process is unavailable: do not retry at once.
      await wait(100);
      return undefined;
    }
  }

  function settle(what: string, verdict: Verdict | undefined, account?: string): void {
    const known = typeof verdict === "object" ? "WRONG" : (verdict ?? "no answer");
    count(`${what}: ${known}`);
    if (typeof verdict === "object") report(`${what}: ${verdict.wrong}`);
    if (verdict === "invalid" && account) reportedInvalid.add(account);
    if (verdict === "invalid" && !account) report(`${what}: the connection was reported to be invalid`);
  }

  async function list(member: ChaosMember, target: Connected): Promise<Verdict | undefined> {
    const answer = await call(member, "/unified/v1/git/repos", { key: target.key, connection: target.id });
    return answer && judgeList(target, answer);
  }

  async function forward(member: ChaosMember, target: Connected): Promise<Verdict | undefined> {
    const answer = await call(member, "/proxy/whoami", { key: target.key, connection: target.id });
    return answer && judgeProxy(target, answer);
  }

  async function note(target: Connected): Promise<void> {
    const text = randomUUID();
    const answer = await call(any(), "/proxy/notes", {
      method: "POST",
      key: target.key,
      connection: target.id,
      body: text,
    });
    const verdict = answer && judgeProxy(target, answer);
    if (verdict === "right") answeredNotes.push(text);
    settle("notes", verdict, target.account);
  }

  async function readEmulated(): Promise<void> {
    const target = random.pick(emulated);
    const answer = await call(any(), `/unified/v1${target.path}`, { key: target.key, connection: target.id });
    settle("emulated", answer && judgeEmulated(target, answer));
  }

  /** Creates a connection for a new account; undefined if that was not confirmed. */
  async function create(account: string): Promise<CreatedConnection | undefined> {
    const token = provider.grant(account, false).access;
    const answer = await call(any(), "/platform/v1/connections", {
      method: "POST",
      key: scratch.key,
      body: { integration_id: scratch.integration, auth_token: token, external_id: account },
    });
    settle("created", answer && judgePlatform(201, answer));
    return answer?.status === 201 ? { key: scratch.key, id: answer.body.id, account } : undefined;
  }

  async function createAndUse(): Promise<void> {
    const one = await create(`created-${numbers++}`);
    if (!one) return;
    settle("just created", await list(any(), one), one.account);
    // Only now, because another worker might delete it at once.
    createdConnections.push(one);
  }

  async function remove(): Promise<void> {
    const existing = createdConnections.filter(({ deletedAt }) => deletedAt === undefined);
    if (existing.length < 5) return;
    const target = random.pick(existing);
    // No other worker may use it, and whether it is deleted is not known until the answer arrives.
    createdConnections.splice(createdConnections.indexOf(target), 1);
    // Make every process cache it, so that each needs the invalidation.
    await Promise.all(members.map((member) => list(member, target)));
    const answer = await call(any(), `/platform/v1/connections/${target.id}`, { method: "DELETE", key: scratch.key });
    settle("deleted", answer && judgePlatform(200, answer));
    if (answer?.status === 200) createdConnections.push({ ...target, deletedAt: Date.now() });
  }

  async function useDeleted(): Promise<void> {
    const started = Date.now();
    const deleted = createdConnections.filter(({ deletedAt = started }) => started - deletedAt > INVALIDATED_AFTER_MS);
    if (deleted.length === 0) return;
    const target = random.pick(deleted);
    const verdict = await forward(any(), target);
    // Without the database a process cannot know that it was deleted.
    const known = timeline.wasUp("postgres", target.deletedAt!, Date.now());
    if (verdict === "right" && known) report(`a call over ${target.id} was answered though it had been deleted`);
    count(`use of deleted: ${verdict === "right" ? "answered" : "refused"}`);
  }

  async function createKey(): Promise<void> {
    const answer = await call(any(), "/platform/v1/api-keys", { method: "POST", key: scratch.key, body: {} });
    settle("keys created", answer && judgePlatform(201, answer));
    if (answer?.status !== 201) return;
    const { id, api_key: key } = answer.body;
    const target = random.pick(createdConnections.filter(({ deletedAt }) => deletedAt === undefined));
    if (target) settle("by a new key", await list(any(), { ...target, key }), target.account);
    if (random.happens(0.5)) {
      createdKeys.push({ id, key });
      return;
    }
    const revoked = await call(any(), `/platform/v1/api-keys/${id}`, { method: "DELETE", key: scratch.key });
    settle("keys revoked", revoked && judgePlatform(200, revoked));
    if (revoked?.status === 200) createdKeys.push({ id, key, revokedAt: Date.now() });
  }

  /** Makes twice as many calls as the limit allows, to both processes at once. */
  async function burst(): Promise<void> {
    const from = Date.now();
    const working = await Promise.all(members.map(sharesOverRedis));
    if (working.includes(false)) return;
    const target = await create(`burst-${numbers++}`);
    if (!target) return;
    const startedAt = Date.now();
    const calls = Array.from({ length: 2 * PROXY_LIMIT.points }, (_, index) =>
      forward(members[index % members.length]!, target),
    );
    for (const verdict of await Promise.all(calls)) settle("burst", verdict, target.account);
    const until = Date.now();
    const paused = (["first", "second"] as const).some((name) => timeline.wasPaused(name, from, until));
    const withinWindow = until - startedAt < (PROXY_LIMIT.seconds - 1) * 1000;
    if (!timeline.wasUp("redis", from, until) || paused || !withinWindow) return;
    bursts++;
    const passed = provider.callsOf(target.account);
    if (passed > PROXY_LIMIT.points) report(`${passed} calls got through a limit of ${PROXY_LIMIT.points}`);
  }

  async function sharesOverRedis(member: ChaosMember): Promise<boolean> {
    try {
      const { body } = await request(`${member.url}/metrics`, { dispatcher, signal: AbortSignal.timeout(3000) });
      return /^plugboard_redis_up 1$/m.test(await body.text());
    } catch {
      return false;
    }
  }

  async function work(): Promise<void> {
    while (!stopped) {
      const dice = random.next();
      const target = random.pick(connected);
      if (dice < 0.4) settle("lists", await list(any(), target), target.account);
      else if (dice < 0.6) settle("forwarded", await forward(any(), target), target.account);
      else if (dice < 0.7) await note(target);
      else if (dice < 0.82) await readEmulated();
      else if (dice < 0.89) await createAndUse();
      else if (dice < 0.93) await remove();
      else if (dice < 0.96) await useDeleted();
      else await createKey();
      // A pause, so that faults matter more than load.
      await wait(random.between(0, 60));
    }
  }

  async function repeat(action: () => Promise<void>, everyMs: number): Promise<void> {
    while (!stopped) {
      await action();
      await wait(random.between(everyMs / 2, everyMs));
    }
  }

  async function injectEmulatorFault(): Promise<void> {
    const name = random.pick(["hubspot", "linear", "slack"]);
    const fault = random.pick<object>([
      { status: random.pick([500, 502, 503]) },
      { status: 429, retry_after: 0 },
      { delay_ms: random.between(50, 1500) },
      { drop: true },
      { truncate: true },
      ...(name === "hubspot" ? [{ expire_tokens: true }] : []),
    ]);
    const body = JSON.stringify({ provider: name, times: random.between(1, 3), ...fault });
    await request(`${world.emulator.url}/_faults`, { dispatcher, method: "POST", body }).then((r) => r.body.dump());
  }

  let workers: Promise<unknown> | undefined;

  return {
    counts,
    reportedInvalid,
    createdConnections,
    createdKeys,
    answeredNotes,
    bursts: () => bursts,
    call,
    list,
    forward,
    start() {
      const regular = [repeat(burst, 2000), repeat(injectEmulatorFault, 500)];
      workers = Promise.all([...Array.from({ length: WORKERS }, work), ...regular]);
      workers.catch((error) => report(`the suite itself failed: ${error.stack}`));
    },
    async stop() {
      stopped = true;
      await workers;
    },
    close: () => dispatcher.destroy(),
  };
}

export type Traffic = ReturnType<typeof createTraffic>;

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
