import { existsSync, readFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { type Config, readConfig } from "../config/index.ts";
import { parseTime } from "../contracts/time.ts";
import { eventBody, signedHeaders, signingKey } from "../events/signature.ts";
import { newWebhookSecret } from "../runtime/ids.ts";
import { sandboxFile } from "../sandbox-workspace.ts";
import type { EventPage, EventRecord } from "../surfaces/shared/platform-records/event.ts";
import { keyRefused, noPlatformApi, readAnswer } from "./platform-answer.ts";
import { httpAddress, readArgs, UsageError } from "./usage.ts";

/** How long the service waits for an event before it answers. */
const WAIT_SECONDS = 25;
const RETRY_MS = 1_000;
const FORWARD_TIMEOUT_MS = 15_000;

/** Prints events as they happen, and forwards them to an address on this machine. */
export async function run(args: string[]): Promise<void> {
  const { values } = readArgs({
    args,
    options: {
      forward: { type: "string" },
      types: { type: "string" },
      since: { type: "string" },
      url: { type: "string" },
      "api-key": { type: "string" },
      json: { type: "boolean" },
    },
  });
  // Whoever ends the command that started this one, such as npx, ends this one too.
  const parent = process.ppid;
  const forward = values.forward === undefined ? undefined : httpAddress(values.forward, "--forward");
  const since = values.since === undefined ? undefined : Date.parse(parseTime(values.since) ?? "");
  if (Number.isNaN(since))
    throw new UsageError("--since must be a date and time that exists, by ISO 8601, such as 2030-01-31T12:00:00Z");
  const config = readConfig(process.env);
  const url = httpAddress(values.url ?? config.urls.platform, "--url").replace(/\/+$/, "");
  const key = values["api-key"] ?? (process.env.PLUGBOARD_API_KEY || sandboxKey(config));
  // With --json, only events go to the standard output.
  const say = values.json ? console.error : console.log;
  const secret = newWebhookSecret();
  if (forward) say(`Forwarding to ${forward}, signed with ${secret}`);

  const read = createReader({ url, key, types: values.types, say });
  let { next } = await read(since === undefined ? "latest" : undefined, since === undefined ? 100 : 1);
  let after = since === undefined ? next : undefined;
  say(`Listening for events at ${url}`);
  while (process.ppid === parent) {
    const asked = Date.now();
    const page = await read(after, 100, WAIT_SECONDS);
    ({ next } = page);
    after = next;
    for (const event of page.data) {
      if (since !== undefined && Date.parse(event.timestamp) < since) continue;
      console.log(values.json ? JSON.stringify(event) : describe(event));
      if (forward) say(`  ${await post(forward, event, secret)}`);
    }
    // An earlier version of the service does not wait.
    if (page.data.length === 0 && Date.now() - asked < RETRY_MS) await setTimeout(RETRY_MS);
  }
}

const describe = ({ timestamp, type, connection_id, id }: EventRecord) =>
  [timestamp, type, connection_id ?? "", id].filter(Boolean).join("  ");

function sandboxKey({ dataDir }: Config): string {
  const file = sandboxFile(dataDir);
  if (!existsSync(file)) throw new UsageError("listen needs --api-key KEY or PLUGBOARD_API_KEY");
  return JSON.parse(readFileSync(file, "utf8")).api_key;
}

interface ReaderOptions {
  url: string;
  key: string;
  types: string | undefined;
  say(message: string): void;
}

/** Reads pages of events. While the service is unavailable, it waits. */
function createReader({ url, key, types, say }: ReaderOptions) {
  let waiting = false;

  async function readOnce(after: string | undefined, limit: number, wait: number): Promise<EventPage | string> {
    const query = new URLSearchParams({
      limit: String(limit),
      wait: String(wait),
      ...(after ? { after } : {}),
      ...(types ? { type: types } : {}),
    });
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${url}/v1/events?${query}`, { headers: { authorization: `Bearer ${key}` } });
      text = await response.text();
    } catch (error) {
      return (error as Error).cause instanceof Error ? ((error as Error).cause as Error).message : String(error);
    }
    if (response.status === 401) throw keyRefused(url);
    if (![200, 400, 403, 404].includes(response.status)) return `status ${response.status}`;
    const answer = readAnswer(text);
    if (response.status === 404 || answer === undefined) throw noPlatformApi(url);
    if (response.status === 403) throw new Error(`${url}: ${answer.message}`);
    if (response.status === 400) throw new UsageError(`--types: ${refusal(answer)}`);
    return answer;
  }

  return async function read(after: string | undefined, limit: number, wait = 0): Promise<EventPage> {
    for (;;) {
      const page = await readOnce(after, limit, wait);
      if (typeof page !== "string") {
        if (waiting) say(`${url} is available again`);
        waiting = false;
        return page;
      }
      if (!waiting) say(`Waiting for ${url}: ${page}`);
      waiting = true;
      await setTimeout(RETRY_MS);
    }
  };
}

/** The first message of a 400. */
function refusal({ message, errors = {} }: { message: string; errors?: Record<string, string[]> }): string {
  return Object.values(errors)[0]?.[0] ?? message;
}

/** Sends an event as a webhook would be sent, and says what the outcome was. */
async function post(url: string, event: EventRecord, secret: string): Promise<string> {
  const body = eventBody({ ...event, created_at: event.timestamp });
  const headers = signedHeaders({ id: event.id, body, atMs: Date.now() }, [signingKey(secret)]);
  try {
    const signal = AbortSignal.timeout(FORWARD_TIMEOUT_MS);
    const response = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    await response.body?.cancel();
    return `${url} answered ${response.status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `${url} did not answer: ${cause instanceof Error ? cause.message : message}`;
  }
}
