// The cases that every SDK of Plugboard has to pass: retries, requests, lists, errors, webhooks. The Python SDK runs the
// same files (sdk-python/tests/test_cases.py), which is why they are data.
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import * as sdk from "../../sdk/src/index.ts";
import { lineError } from "../../sdk/src/read-error.ts";
import { faultKinds } from "../../src/contracts/fault.ts";
import { renderings } from "../../src/surfaces/unified/errors.ts";
import errors from "./cases/errors.json" with { type: "json" };
import lists from "./cases/lists.json" with { type: "json" };
import requestCases from "./cases/requests.json" with { type: "json" };
import retries from "./cases/retries.json" with { type: "json" };
import webhooks from "./cases/webhooks.json" with { type: "json" };
import { methodsOf } from "./methods.ts";
import { answer, clientOf, lost, type Step, settled } from "./stub-client.ts";

interface Answer {
  status?: number;
  body?: unknown;
  text?: string;
  headers?: Record<string, string>;
  source?: string | null;
  lost?: boolean;
  /** A streamed list: its lines, and how it ends. */
  lines?: object[];
  cut?: string;
  ends?: string;
  piece?: number;
}

interface Case {
  title: string;
  call: any;
  answers: Answer[];
  expect: any;
}

/** A response in pieces of some bytes. */
function streamed({ lines, cut = "", ends, piece }: Answer): Response {
  const bytes = new TextEncoder().encode(lines!.map((line) => `${JSON.stringify(line)}\n`).join("") + cut);
  const size = piece ?? bytes.length;
  let at = 0;
  const body = new ReadableStream({
    pull(controller) {
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size));
      else if (ends === "lost") controller.error(new TypeError("terminated"));
      else controller.close();
      at += size;
    },
  });
  return new Response(body);
}

function toStep(given: Answer): Step {
  if (given.lost) return lost;
  if (given.lines) return () => streamed(given);
  const { status = 200, headers = {} } = given;
  const source = given.source === undefined ? (status >= 400 ? "plugboard" : null) : given.source;
  const all = { "x-request-id": "req_1", ...(source ? { "svc-error-source": source } : {}), ...headers };
  if (given.text === undefined && given.source !== null) return answer(status, given.body, all);
  return () => new Response(given.text ?? JSON.stringify(given.body), { status, headers: all });
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
const camelKeys = (given: object) =>
  Object.fromEntries(Object.entries(given).map(([name, value]) => [camelCase(name), value]));

async function* piecesOf(pieces: string[]) {
  yield* pieces;
}

/** Makes the call of a case, and reads what it returns as the case says. */
async function make({ pb, connection }: ReturnType<typeof clientOf>, call: any): Promise<unknown> {
  const { path = [], query, body, content, read } = call;
  if (call.api === "proxy") {
    const request = { method: call.http_method ?? "GET", query, body };
    return connection.proxy.json(path[0], { ...request, ...camelKeys(call.options ?? {}) });
  }
  const method = methodsOf(call.api === "platform" ? pb.platform : connection).get(call.method)!;
  const isStream = String(read).startsWith("stream");
  const options = { ...camelKeys(call.options ?? {}), ...(isStream ? { stream: true } : {}) };
  const sent = content === undefined ? [] : [Array.isArray(content) ? piecesOf(content) : content];
  const given = [...path, ...sent, ...(query || body ? [query ?? body] : read ? [{}] : [])];
  const result: any = method(...given, options);
  if (read === "page" || read === "streamed page") return { data: (await result).data, next: (await result).next };
  if (read === "raw") return (await result).raw;
  return read ? result.toArray(read === "first" ? 1 : undefined) : result;
}

function matches(expected: unknown, given: unknown, about: string) {
  const [, pattern, flags] = (typeof expected === "string" && /^\/(.*)\/(i?)$/.exec(expected)) || [];
  if (pattern) expect(given, about).toMatch(new RegExp(pattern, flags));
  else expect(given ?? null, about).toEqual(expected);
}

type Sent = ReturnType<typeof clientOf>["requests"];

function checkRequest(wanted: any, { method, url, headers, body }: Sent[number]) {
  if (wanted.method) expect(method).toBe(wanted.method);
  if (wanted.path) expect(url.pathname).toBe(wanted.path);
  if (wanted.query) {
    const query: Record<string, unknown> = Object.fromEntries(url.searchParams);
    for (const [name, value] of Object.entries(wanted.query))
      if (typeof value === "object") query[name] = { json: JSON.parse(query[name] as string) };
    expect(query).toEqual(wanted.query);
  }
  for (const [name, value] of Object.entries(wanted.headers ?? {})) matches(value, headers.get(name), name);
  if ("body" in wanted) expect(JSON.parse(body as string)).toEqual(wanted.body);
}

beforeEach(() => void vi.useFakeTimers({ now: webhooks.now * 1000 }));
afterEach(() => void vi.useRealTimers());

const cases = [...retries, ...requestCases, ...lists, ...errors.calls] as Case[];
it.each(cases)("the SDK's case: $title", async ({ call, answers, expect: wanted }) => {
  const client = clientOf(answers.map(toStep));
  const outcome = await settled(make(client, call)).then(
    (result) => ({ result }),
    (error: unknown) => ({ error: error as any, result: undefined }),
  );
  const error = "error" in outcome ? outcome.error : undefined;
  if (wanted.refused) expect(error).toBeInstanceOf(TypeError);
  else if (wanted.error) {
    expect(error).toBeInstanceOf(sdk.PlugboardError);
    for (const [name, value] of Object.entries(wanted.error)) matches(value, error[camelCase(name)], name);
  } else expect(error).toBeUndefined();
  if ("result" in wanted) expect(outcome.result).toEqual(wanted.result);
  const { requests } = client;
  expect(requests).toHaveLength(wanted.sent ?? wanted.requests?.length ?? requests.length);
  for (const [index, request] of (wanted.requests ?? []).entries()) checkRequest(request, requests[index]!);
  for (const name of wanted.same ?? []) expect(new Set(requests.map(({ headers }) => headers.get(name))).size).toBe(1);
  for (const [index, [low, high]] of (wanted.waits ?? []).entries()) {
    const seconds = (requests[index + 1]!.at - requests[index]!.at) / 1000;
    expect(seconds).toBeGreaterThanOrEqual(low - 0.01);
    expect(seconds).toBeLessThanOrEqual(high + 0.01);
  }
});

it("the cases have every kind of error as the service renders it", () => {
  const rendered = faultKinds.map((kind) => ({ reason: null, ...renderings[kind], kind }));
  expect(errors.kinds.map(({ name: _, ...kind }) => kind)).toEqual(rendered);
});

it.each(errors.kinds)("the SDK has the class $name for $kind, with its status, code and reason", async (kind) => {
  const { name, status, code, message } = kind;
  const reason = kind.reason ?? undefined;
  const body = { success: false, errors: [{ code, message, detail: "what to do", ...(reason ? { reason } : {}) }] };
  const { connection } = clientOf([answer(status, body, { "x-request-id": "req_1" })], { maxRetries: 0 });
  const error = await connection.me().catch((thrown: sdk.PlugboardError) => thrown);
  expect(error).toBeInstanceOf(sdk.PlugboardError);
  expect(error).toMatchObject({ name, status, code, reason, requestId: "req_1", source: "plugboard" });
  expect((error as Error).message).toBe(`${status} ${message}: what to do`);
});

/** What a stream can end with after its first page: what is about the request itself comes before it. */
const inStreams = errors.kinds.filter(({ status }) => ![403, 409, 422].includes(status));
it.each(inStreams)("a streamed list that ends with $kind has the same error as a response", (kind) => {
  const { name, status, code, message } = kind;
  const reason = kind.reason ?? undefined;
  const error = lineError({ errors: [{ code, message, ...(reason ? { reason } : {}) }] }, "req_1");
  expect(error).toMatchObject({ name, status, code, reason, requestId: "req_1", source: "plugboard" });
});

it.each(errors.proxy)("proxy.json throws the Proxy's own $status $body as $name", async (one) => {
  const text = typeof one.body === "string" ? one.body : JSON.stringify(one.body);
  const step = () => new Response(text, { status: one.status, headers: { "svc-error-source": "plugboard" } });
  const { connection } = clientOf([step], { maxRetries: 0 });
  const { name, status, reason } = one;
  await expect(connection.proxy.json("/user")).rejects.toMatchObject({ name, status, reason: reason ?? undefined });
});

it.each(webhooks.cases)("webhooks: $title", async ({ body, headers, secret, outcome }) => {
  for (const received of [body, new TextEncoder().encode(body)]) {
    const verified = sdk.verifyWebhook(received, { ...headers } as Record<string, string | undefined>, secret);
    if (outcome === "accepted") expect(await verified).toEqual(webhooks.event);
    else await expect(verified).rejects.toThrow(outcome === "refused" ? sdk.WebhookVerificationError : TypeError);
  }
});
