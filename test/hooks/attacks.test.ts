// Attacks on the receiver of webhooks. None of them starts a run, changes anything or learns anything.
import { createHmac } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { StoredHook } from "../../src/contracts/hooks.ts";
import { subscriptionClient } from "../events/support/subscriptions.ts";
import { rawRequest } from "../support/raw-request.ts";
import { startService, type TestService } from "../support/service.ts";

let service: TestService;
let client: ReturnType<typeof subscriptionClient>;
let hook: StoredHook;
let other: StoredHook;
let url: string;
let repo: string;
const LIST = "git.listIssues";
const body = JSON.stringify({ action: "opened", issue: { number: 1 } });

const sign = (text: string | Buffer, secret = hook.secret!, algorithm = "sha256") =>
  createHmac(algorithm, secret).update(text).digest("hex");
const signed = (text: string | Buffer = body, secret?: string) => ({
  "x-hub-signature-256": `sha256=${sign(text, secret)}`,
});

beforeAll(async () => {
  service = await startService();
  client = subscriptionClient(service);
  repo = (await client.change("github", LIST, {})).parameters.repo;
  const subscription = await client.subscribe("github", LIST, { parameters: { repo } });
  const isReady = async () => expect((await client.get(subscription.id)).trigger).toBe("webhook");
  await vi.waitFor(isReady, { timeout: 30_000, interval: 100 });
  hook = (await service.store.hooks.ofConnection(service.connections.github!))[0]!;
  const { connection } = (await service.store.connections.load(service.connections.github!))!;
  const { workspace_id, integration_id } = connection;
  const made = await service.store.connections.create({
    ...connection,
    id: "conn_anotherConnectionOfSomeb",
    external_id: "somebody else",
  });
  await service.store.subscriptions.create({
    id: "sub_ofAnotherConnection000000",
    workspace_id,
    connection_id: made.id,
    operation: LIST,
    parameters: { repo },
    interval_seconds: 3600,
    full_walk_seconds: 3600,
    include_existing: false,
  });
  await service.store.hooks.want(
    { id: "sub_ofAnotherConnection000000", workspace_id, connection_id: made.id },
    { integration_id, target: repo },
  );
  other = (await service.store.hooks.ofConnection(made.id))[0]!;
  // Its own job has nothing to do with it any more.
  await service.store.jobs.remove(other.id);
  await service.store.hooks.update(other.id, {
    secret: "another-secret",
    state: "active",
    made_at: new Date().toISOString(),
  });
  other = (await service.store.hooks.get(other.id))!;
  url = service.parts.engine.hooks.addressOf({ base_url: "sandbox" }, hook.id);
});
afterAll(() => service?.close());

type Sent = { method?: string; url?: string; headers?: Record<string, string>; body?: string | Buffer | undefined };
const send = (request: Sent) =>
  fetch(request.url ?? url, {
    method: request.method ?? "POST",
    headers: {
      ...(!("body" in request) || request.body ? { "content-type": "application/json" } : {}),
      "x-github-event": "issues",
      ...request.headers,
    },
    ...("body" in request ? { body: request.body as string } : { body }),
    redirect: "manual",
  });

/** What an accepted hint would change. */
const traces = async () => {
  const hooks = [hook.id, other.id].map((id) => service.store.hooks.get(id));
  const [first, second] = await Promise.all(hooks);
  return [first?.last_hint_at, first?.secret, second?.last_hint_at, second?.secret];
};

const token = () => url.slice(url.lastIndexOf("/") + 1);
const [idOf, macOf] = [() => token().split(".")[0]!, () => token().split(".")[1]!];
const at = (address: string) => `${url.slice(0, url.lastIndexOf("/"))}/${address}`;
const flipped = (text: string) => text.slice(0, -1) + (text.endsWith("A") ? "B" : "A");

const attacks: [string, () => Sent, number][] = [
  // Addresses
  ["an ID without its signature", () => ({ url: at(idOf()), headers: signed() }), 404],
  ["an empty signature", () => ({ url: at(`${idOf()}.`), headers: signed() }), 404],
  ["another signature", () => ({ url: at(`${idOf()}.${"A".repeat(43)}`), headers: signed() }), 404],
  [
    "a signature with one other character",
    () => ({ url: at(`${idOf()}.${flipped(macOf())}`), headers: signed() }),
    404,
  ],
  ["a signature that is cut off", () => ({ url: at(`${idOf()}.${macOf().slice(0, 22)}`), headers: signed() }), 404],
  ["a signature that is too long", () => ({ url: at(`${token()}A`), headers: signed() }), 404],
  ["a padded signature", () => ({ url: at(`${token()}=`), headers: signed() }), 404],
  ["two signatures", () => ({ url: at(`${token()}.${macOf()}`), headers: signed() }), 404],
  ["the signature of another ID", () => ({ url: at(`${other.id}.${macOf()}`), headers: signed() }), 404],
  ["an ID in other letters", () => ({ url: at(`${idOf().toUpperCase()}.${macOf()}`), headers: signed() }), 404],
  ["a dot alone", () => ({ url: at("."), headers: signed() }), 404],
  ["a path that climbs", () => ({ url: at("..%2f..%2fplatform%2fv1%2fapi-keys"), headers: signed() }), 404],
  ["an encoded null", () => ({ url: at(`${idOf()}%00.${macOf()}`), headers: signed() }), 404],
  [
    "an integration whose hooks belong to connections",
    () => ({
      url: service.parts.engine.hooks.addressOf({ base_url: "sandbox" }, service.integrations.github!),
      headers: signed(),
    }),
    404,
  ],
  [
    "the ID of a connection",
    () => ({
      url: service.parts.engine.hooks.addressOf({ base_url: "sandbox" }, service.connections.github!),
      headers: signed(),
    }),
    404,
  ],
  [
    "a hook that does not exist",
    () => ({
      url: service.parts.engine.hooks.addressOf({ base_url: "sandbox" }, "hook_000000000000000000000000"),
      headers: signed(),
    }),
    404,
  ],
  [
    "SQL as an ID",
    () => ({
      url: at(encodeURIComponent("hook_' or 1=1 --.x")),
      headers: signed(),
    }),
    404,
  ],
  [
    "an ID of prototypes",
    () => ({
      url: service.parts.engine.hooks.addressOf({ base_url: "sandbox" }, "__proto__"),
      headers: signed(),
    }),
    404,
  ],
  // Signatures
  ["no signature", () => ({}), 401],
  ["an empty signature header", () => ({ headers: { "x-hub-signature-256": "" } }), 401],
  ["the prefix alone", () => ({ headers: { "x-hub-signature-256": "sha256=" } }), 401],
  ["no prefix", () => ({ headers: { "x-hub-signature-256": sign(body) } }), 401],
  ["another prefix", () => ({ headers: { "x-hub-signature-256": `sha1=${sign(body)}` } }), 401],
  ["another algorithm", () => ({ headers: { "x-hub-signature-256": `sha256=${sign(body, undefined, "sha1")}` } }), 401],
  [
    "a weaker signature in an older header",
    () => ({ headers: { "x-hub-signature": `sha1=${sign(body, undefined, "sha1")}` } }),
    401,
  ],
  ["another secret", () => ({ headers: signed(body, "guess") }), 401],
  ["an empty secret", () => ({ headers: { "x-hub-signature-256": `sha256=${sign(body, "")}` } }), 401],
  ["the secret of another hook", () => ({ headers: signed(body, other.secret!) }), 401],
  [
    "our own signature, sent to another hook",
    () => ({
      url: service.parts.engine.hooks.addressOf({ base_url: "sandbox" }, other.id),
      headers: signed(),
    }),
    401,
  ],
  ["the address's signature as secret", () => ({ headers: signed(body, macOf()) }), 401],
  ["a body with one more byte", () => ({ headers: signed(), body: `${body} ` }), 401],
  [
    "the same JSON in another form",
    () => ({ headers: signed(), body: JSON.stringify(JSON.parse(body), null, 1) }),
    401,
  ],
  ["an empty body with the signature of another", () => ({ headers: signed(), body: "" }), 401],
  [
    "two signatures in one header",
    () => ({ headers: { "x-hub-signature-256": `sha256=${sign(body)}, sha256=${sign(body)}` } }),
    401,
  ],
  [
    "a signature in base64",
    () => ({
      headers: { "x-hub-signature-256": `sha256=${createHmac("sha256", hook.secret!).update(body).digest("base64")}` },
    }),
    401,
  ],
  ["our API key in place of a signature", () => ({ headers: { authorization: `Bearer ${service.apiKey}` } }), 401],
  // Methods, handshakes, sizes
  ["GET with a signature", () => ({ method: "GET", headers: signed(""), body: undefined }), 401],
  [
    "a challenge of another provider in the query",
    () => ({ url: `${url}?validationToken=x&challenge=x`, headers: {} }),
    401,
  ],
  ["a challenge of another provider in the body", () => ({ body: '{"challenge":"x","type":"url_verification"}' }), 401],
  ["a secret of another provider's handshake", () => ({ headers: { "x-hook-secret": "mine" } }), 401],
  ["a verification token", () => ({ body: '{"verification_token":"mine"}' }), 401],
  ["PUT", () => ({ method: "PUT", headers: signed() }), 404],
  ["DELETE", () => ({ method: "DELETE", headers: signed(), body: undefined }), 404],
  [
    "OPTIONS of a web page",
    () => ({ method: "OPTIONS", headers: { origin: "https://evil.example" }, body: undefined }),
    404,
  ],
  [
    "a body of more than 1 MB",
    () => {
      const large = Buffer.alloc(1024 * 1024 + 1, "x");
      return { headers: signed(large), body: large };
    },
    413,
  ],
];

describe("attacks", () => {
  it.each(attacks)("%s", async (_, attack, status) => {
    const before = await traces();
    const response = await send(attack());
    const text = await response.text();
    expect([response.status, text]).toEqual([status, expect.any(String)]);
    for (const secret of [hook.secret!, other.secret!, sign(body)]) expect(text).not.toContain(secret);
    expect(await traces()).toEqual(before);
  });

  it("a request that is cut off, sent in parts or lies about its length starts nothing", async () => {
    const before = await traces();
    const { port, pathname } = new URL(url);
    const head = `POST ${pathname} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\nx-github-event: issues\r\nx-hub-signature-256: sha256=${sign(body)}\r\n`;
    await rawRequest(Number(port), `${head}content-length: ${body.length + 5}\r\n\r\n${body}`, { waitMs: 300 });
    await rawRequest(Number(port), `${head}content-length: 3\r\nconnection: close\r\n\r\n${body}`, { waitMs: 300 });
    await rawRequest(Number(port), `${head}transfer-encoding: chunked\r\ncontent-length: 3\r\n\r\n${body}`, {
      waitMs: 300,
    });
    expect(await traces()).toEqual(before);
  });

  it.each([
    ["null", "null"],
    ["a number", "7"],
    ["an array", "[]"],
    ["text", '"text"'],
    ["no JSON", "<xml/>"],
    ["deep JSON", "[".repeat(100_000)],
    ["prototypes", '{"__proto__":{"action":"deleted"},"constructor":{"prototype":{"x":1}}}'],
    ["an action that is an object", '{"action":{"toString":1}}'],
  ])("a signed body of %s is a hint at most, and breaks nothing", async (_, text) => {
    const response = await send({ headers: signed(text), body: text });
    expect(response.status).toBe(200);
    expect(({} as any).action).toBeUndefined();
  });

  it("nobody can look into the receiver: neither answers nor logs have secrets", async () => {
    const answers = await Promise.all([
      send({ headers: signed() }),
      send({}),
      send({ method: "HEAD", body: undefined }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 401, 200]);
    const texts = await Promise.all(answers.map((answer) => answer.text()));
    for (const text of [...texts, service.logs()])
      for (const secret of [hook.secret!, other.secret!, macOf()]) expect(text).not.toContain(secret);
  });

  it("requests that are replayed start a run every 5 seconds at most, and one after the last", async () => {
    await fetch(`${service.url}/sandbox/_requests`, { method: "DELETE" });
    const started = performance.now();
    const responses = await Promise.all(Array.from({ length: 300 }, () => send({ headers: signed() })));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200]));
    await setTimeout(6_500);
    const requests = (await (await fetch(`${service.url}/sandbox/_requests?provider=github`)).json()) as {
      path: string;
    }[];
    const firstPages = requests.filter(({ path }) => path.includes("/issues?") && !/[?&]page=[^1]/.test(path));
    expect(firstPages.length).toBeGreaterThan(0);
    expect(firstPages.length).toBeLessThanOrEqual(Math.ceil((performance.now() - started) / 5_000));
  });
});
