import { setTimeout as wait } from "node:timers/promises";
import type { ChaosMember } from "./members.ts";
import type { Traffic } from "./traffic.ts";
import type { Verdict } from "./verdicts.ts";
import type { World } from "./world.ts";

/** Long enough for a lock of a killed process to expire. */
const RECOVERY_MS = 45_000;
/** A provider's slowest answer plus the longest database outage, with some margin. */
const MAX_TIME_TO_STORE_MS = 10_000;
/** How much the heap differs from one garbage collection to the next. */
const HEAP_MARGIN_MB = 10;
/** The size of the database pool, which may have grown. */
const SOCKET_MARGIN = 10;

/**
 * Accounts whose refreshed token was lost with the process that had requested it. A process that dies between the
 * provider's answer and the write to the database takes the only copy with it.
 */
export function lostRefreshes({ provider, members }: World, report: (problem: string) => void): Set<string> {
  const killedAt = new Map(members.flatMap((member) => [...member.killedAt]));
  const lost = new Set<string>();
  for (const { account, requests } of provider.refreshTokens.values()) {
    const refreshed = requests.find(({ outcome }) => outcome === "refreshed");
    const later = refreshed && requests.slice(requests.indexOf(refreshed) + 1);
    if (!refreshed || later!.length === 0) continue;
    // Negative if the request arrived after its sender was killed.
    const lived = (killedAt.get(refreshed.process) ?? Number.POSITIVE_INFINITY) - refreshed.at;
    // A token is stored before it is used: one that was seen in a call cannot have been lost.
    if (lived < MAX_TIME_TO_STORE_MS && !provider.usedTokens.has(refreshed.accessToken!)) lost.add(account);
    else
      report(
        `the refresh token of ${account} was used again after a refresh: ${JSON.stringify(requests.map(({ process, outcome, at }) => [process, outcome, at - refreshed.at]))}`,
      );
  }
  return lost;
}

/** Checks that everything works again and that nothing promised is lost. */
export async function checkPromises(
  { members, connected, emulated, provider, scratch }: World,
  traffic: Traffic,
  report: (problem: string) => void,
): Promise<{ lost: Set<string> }> {
  const deadline = Date.now() + RECOVERY_MS;

  /** The verdict after everything has had time to recover. */
  async function finalVerdict(ask: () => Promise<Verdict | undefined>): Promise<Verdict | undefined> {
    for (;;) {
      const verdict = await ask();
      if ((verdict !== undefined && verdict !== "unavailable") || Date.now() > deadline) return verdict;
      await wait(200);
    }
  }
  const describe = (verdict: Verdict | undefined) =>
    typeof verdict === "object" ? verdict.wrong : (verdict ?? "no answer");

  const invalid = new Set<string>(traffic.reportedInvalid);
  async function checkConnection(member: ChaosMember, target: (typeof connected)[number]): Promise<void> {
    const verdict = await finalVerdict(() => traffic.list(member, target));
    if (verdict === "invalid") invalid.add(target.account);
    else if (verdict !== "right") report(`${target.account} at ${member.name} after recovery: ${describe(verdict)}`);
    const stored = await traffic.call(member, `/platform/v1/connections/${target.id}`, { key: target.key });
    if (stored?.status !== 200 || stored.body.external_id !== target.account)
      report(`the connection of ${target.account} is lost at ${member.name}: ${stored?.status}`);
    else if (!stored.body.is_valid) invalid.add(target.account);
  }

  for (const member of members) {
    await eightAtATime(
      [...connected, ...traffic.createdConnections.filter(({ deletedAt }) => deletedAt === undefined)],
      (target) => checkConnection(member, target),
    );
    await eightAtATime(emulated, async ({ key, id, path }) => {
      const stored = await traffic.call(member, `/platform/v1/connections/${id}`, { key });
      if (!stored?.body?.is_valid) report(`the connection of ${path} is invalid: ${JSON.stringify(stored)}`);
    });
    for (const { id, deletedAt } of traffic.createdConnections) {
      if (deletedAt === undefined) continue;
      const stored = await traffic.call(member, `/platform/v1/connections/${id}`, { key: scratch.key });
      if (stored?.status !== 404) report(`${id} was deleted and is back at ${member.name}: ${stored?.status}`);
    }
    for (const { id, key, revokedAt } of traffic.createdKeys) {
      const answer = await traffic.call(member, "/platform/v1/workspace", { key });
      const expected = revokedAt === undefined ? 200 : 401;
      if (answer?.status !== expected) report(`key ${id} at ${member.name}: ${answer?.status} instead of ${expected}`);
    }
  }

  for (const text of traffic.answeredNotes) if (!provider.notes.has(text)) report(`the note ${text} never arrived`);
  for (const [text, times] of provider.notes) if (times > 1) report(`the note ${text} arrived ${times} times`);

  const lost = lostRefreshes({ provider, members } as World, report);
  for (const account of invalid) if (!lost.has(account)) report(`the connection of ${account} is wrongly invalid`);
  return { lost };
}

/** Checks that the processes wrote nothing to stderr and logged no error. */
export function checkOutputs(members: ChaosMember[], report: (problem: string) => void): void {
  for (const { name, stdout, stderr } of members.flatMap((member) => member.outputs())) {
    const printed = stderr.replaceAll(/^plugboard: The database is unavailable.*\n/gm, "");
    if (printed.trim() !== "") report(`${name} wrote to stderr: ${printed.slice(0, 500)}`);
    for (const line of stdout.split("\n"))
      if (/"level":"(error|fatal)"/.test(line)) report(`${name} logged: ${line.slice(0, 800)}`);
  }
}

export interface Footprint {
  heap: number;
  sockets: number;
}

export const footprintOf = async (member: ChaosMember): Promise<Footprint> => ({
  heap: await member.heap(),
  sockets: member.sockets(),
});

/** Checks that memory and sockets return to their initial level once clients and providers are closed. */
export async function checkFootprint(
  member: ChaosMember,
  before: Footprint,
  report: (problem: string) => void,
  heapMargin = HEAP_MARGIN_MB,
): Promise<Footprint> {
  const deadline = Date.now() + 25_000;
  for (;;) {
    const now = await footprintOf(member);
    const heapGrew = now.heap > before.heap + heapMargin;
    const socketsGrew = now.sockets > before.sockets + SOCKET_MARGIN;
    if (!heapGrew && !socketsGrew) return now;
    if (Date.now() > deadline) {
      report(
        `${member.name} holds ${now.heap.toFixed(1)} MB and ${now.sockets} sockets; before it was ${before.heap.toFixed(1)} MB and ${before.sockets}`,
      );
      return now;
    }
    await wait(250);
  }
}

async function eightAtATime<Item>(items: Item[], act: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  await Promise.all(
    Array.from({ length: 8 }, async () => {
      for (let item = left.shift(); item !== undefined; item = left.shift()) await act(item);
    }),
  );
}
