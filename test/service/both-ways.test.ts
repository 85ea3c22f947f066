// Requests as raw bytes, served directly and by Fastify: the whole responses must be the same.
import type { RequestListener } from "node:http";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { DirectReply } from "../../src/server/direct.ts";
import { rawRequest } from "../support/raw-request.ts";
import { startService } from "../support/service.ts";
import { connectTo, readText, startUpstream } from "../support/upstream.ts";

/** The head of a provider's error with a content type that is not the usual one, by the page size that is asked for. */
const odd: Record<string, [status: number, headers: string[], body: string]> = {
  41: [404, ["content-type", "text/html", "content-type", "application/json"], "<p>two types</p>"],
  42: [404, [], "no type"],
  43: [403, ["content-type", ""], "an empty type"],
  44: [400, ["content-type", "text/html; charset=iso-8859-1"], "a character set"],
  45: [409, ["content-type", "garbage/;;=, x"], "not a type"],
  46: [422, ["content-type", "application/json"], "not JSON"],
  47: [404, ["content-type", "text/plain", "retry-after", "7", "retry-after", "8"], "two times to wait"],
  48: [410, ["content-type", "text/plain"], ""],
  49: [404, ["content-type", "APPLICATION/JSON;CHARSET=UTF-16"], "{}"],
};

const answer: RequestListener = async (request, response) => {
  const [, size = ""] = /per_page=(\d+)/.exec(request.url!) ?? [];
  if (odd[size]) {
    const [status, headers, body] = odd[size];
    response.writeHead(status, headers).end(body);
  } else if (request.url!.includes("/user/repos"))
    response.writeHead(200, { "content-type": "application/json" }).end("[]");
  else {
    const { method, url, rawHeaders } = request;
    const body = await readText(request).catch(() => "");
    response.writeHead(200, { "content-type": "text/plain" }).end(JSON.stringify({ method, url, rawHeaders, body }));
  }
};

const HOST = "Host: example.test";
const CREDENTIALS = "<credentials>";
const CLOSE = "Connection: close";
const LONG = "a".repeat(3_000);
const raw = (line: string, headers: string[] = [], body = "") =>
  [line, HOST, CREDENTIALS, CLOSE, ...headers, "", body].join("\r\n");
const get = (path: string, ...headers: string[]) => raw(`GET ${path} HTTP/1.1`, headers);
/** The connection stays open after it. */
const kept = (line: string, headers: string[] = [], body = "") =>
  [line, HOST, CREDENTIALS, ...headers, "", body].join("\r\n");
const REPOS = "/unified/v1/git/repos";
const CHUNKED = "Transfer-Encoding: chunked";
const GARBAGE = "\0\x01garbage\r\n\r\n";

/** Name, bytes, and the statuses that come back, if it is not obvious that they do. */
type Case = [string, string, number[]?];

const surfaces: [string, string][] = [
  ["Proxy", "/proxy/echo"],
  ["Unified", `${REPOS}?limit=1`],
];

/** What both surfaces can be sent. */
const common = surfaces.flatMap(([surface, path]): Case[] => [
  [`${surface}: a plain request`, get(path)],
  [`${surface}: HTTP/1.0`, raw(`GET ${path} HTTP/1.0`)],
  [`${surface}: HTTP/1.0 without Host`, [`GET ${path} HTTP/1.0`, CREDENTIALS, "", ""].join("\r\n")],
  [`${surface}: HTTP/1.1 without Host`, [`GET ${path} HTTP/1.1`, CREDENTIALS, "", ""].join("\r\n"), [400]],
  [`${surface}: two hosts`, get(path, HOST)],
  [
    `${surface}: Expect 100-continue`,
    raw(`POST ${path} HTTP/1.1`, ["Expect: 100-continue", "Content-Length: 2"], "{}"),
  ],
  [`${surface}: an unknown Expect`, get(path, "Expect: miracles"), [417]],
  [`${surface}: GET with a body`, raw(`GET ${path} HTTP/1.1`, ["Content-Length: 4"], "body")],
  [`${surface}: GET with a chunked body`, raw(`GET ${path} HTTP/1.1`, [CHUNKED], "4\r\nbody\r\n0\r\n\r\n")],
  [`${surface}: chunks of nothing`, raw(`POST ${path} HTTP/1.1`, [CHUNKED], "0\r\n\r\n")],
  [`${surface}: a malformed chunk`, raw(`POST ${path} HTTP/1.1`, [CHUNKED], "zz\r\n"), [400]],
  [
    `${surface}: a valid request, then a malformed chunk`,
    kept(`GET ${path} HTTP/1.1`) + raw(`POST ${path} HTTP/1.1`, [CHUNKED], "zz\r\n"),
    [200, surface === "Proxy" ? 400 : 404],
  ],
  [`${surface}: a length and chunks`, raw(`POST ${path} HTTP/1.1`, [CHUNKED, "Content-Length: 4"], "0\r\n\r\n")],
  [`${surface}: an empty body`, raw(`POST ${path} HTTP/1.1`, ["Content-Length: 0"])],
  [`${surface}: two requests at once`, kept(`GET ${path} HTTP/1.1`) + get(path), [200, 200]],
  [`${surface}: a valid request, then bytes that are none`, kept(`GET ${path} HTTP/1.1`) + GARBAGE, [200, 400]],
  [
    `${surface}: two valid requests, then bytes that are none`,
    kept(`GET ${path} HTTP/1.1`).repeat(2) + GARBAGE,
    [200, 200, 400],
  ],
  [`${surface}: a request that closes, then bytes that are none`, get(path) + GARBAGE, [200]],
  [`${surface}: headers that are too large`, get(path, `X-Large: ${"x".repeat(40_000)}`)],
  [`${surface}: a folded header`, get(path, "X-Folded: a\r\n b")],
  [`${surface}: an upgrade`, get(path, "Connection: Upgrade", "Upgrade: websocket")],
  [`${surface}: an absolute URL`, raw(`GET http://example.test${path} HTTP/1.1`)],
  [`${surface}: a fragment`, get(`${path}#x`)],
  [`${surface}: no key`, [`GET ${path} HTTP/1.1`, HOST, CLOSE, "", ""].join("\r\n")],
  [
    `${surface}: no key and half of a body`,
    [`GET ${path} HTTP/1.1`, HOST, CLOSE, "Content-Length: 8", "", "half"].join("\r\n"),
  ],
  [`${surface}: two keys`, get(path, "Authorization: Bearer other")],
  [`${surface}: two connections`, get(path, "SVC-Connection-ID: other")],
  [`${surface}: the client's own request id`, get(path, "X-Request-Id: my.own:id")],
  [`${surface}: a malformed request id`, get(path, "X-Request-Id: <script>")],
  [`${surface}: retries that are no number`, get(path, "SVC-Max-Retries: many")],
  [`${surface}: a path with bytes that are not ASCII`, get(`${path}\xff\xfe`)],
  ...["HEAD", "OPTIONS", "TRACE", "QUERY", "PROPFIND", "DELETE", "get"].map(
    (method): Case => [`${surface}: ${method}`, raw(`${method} ${path} HTTP/1.1`)],
  ),
]);

const proxyPaths = [
  "/proxy",
  "/proxy/",
  "/PROXY/echo",
  "/proxy//echo",
  "/proxy/./echo",
  "/proxy/../platform/v1/workspace",
  "/proxy/a/../echo",
  "/proxy/%2e%2e/echo",
  "/proxy/%zz",
  "/proxy/echo%",
  "/proxy/%ff",
  "/proxy/%00",
  "/%70roxy/echo",
  "/proxy/echo?",
  "/proxy/echo?&",
  "/proxy/echo?a&&b=",
  "/proxy/echo?a=1&a=2",
  "/proxy/echo?a=%zz",
  `/proxy/${LONG}`,
  `/proxy/echo?${LONG}`,
];

const unifiedPaths = [
  REPOS,
  `${REPOS}/`,
  `/${REPOS}`,
  REPOS.toUpperCase(),
  "/unified/v1/git/nothing",
  "/unified/v1/git/../git/repos",
  "/unified/v1/git/%72epos",
  `${REPOS}?`,
  `${REPOS}?&`,
  `${REPOS}?&limit=1`,
  `${REPOS}?limit=1&`,
  `${REPOS}?limit=1&&limit=1`,
  `${REPOS}?limit=1&limit=2`,
  `${REPOS}?limit`,
  `${REPOS}?limit=`,
  `${REPOS}?=1`,
  `${REPOS}?limit=1;limit=2`,
  `${REPOS}?limit=%zz`,
  `${REPOS}?limit=%31`,
  `${REPOS}?toString=1`,
  `${REPOS}?__proto__=1`,
  `${REPOS}?dry_run=true`,
  `${REPOS}/%zz/tags`,
  `${REPOS}/a%/tags`,
  `${REPOS}/%ff/tags`,
  `${REPOS}//tags`,
  `${REPOS}/./tags`,
  `${REPOS}/../tags`,
  `${REPOS}/${"a".repeat(2_000)}/tags?limit=0`,
  `${REPOS}/${"a".repeat(2_001)}/tags?limit=0`,
  `${REPOS}/${LONG}/tags`,
];

const cases: Case[] = [
  ...common,
  ...[...proxyPaths, ...unifiedPaths].map(
    (path): Case => [`GET ${path.replace(/a{100,}/, (text) => `(${text.length} characters)`)}`, get(path)],
  ),
  ...["/proxy/%zz", `${REPOS}/%zz/tags`].map(
    (path): Case => [`GET ${path} without a key`, [`GET ${path} HTTP/1.1`, HOST, CLOSE, "", ""].join("\r\n")],
  ),
  ["Unified: GET with half of its body", raw(`GET ${REPOS} HTTP/1.1`, ["Content-Length: 8"], "half")],
  ["Unified: a stream of records", get(REPOS, "Accept: application/x-ndjson")],
  ...Object.entries(odd).flatMap(([size, [, , text]]): Case[] => [
    [`Unified: a provider's error with ${text || "no body"}`, get(`${REPOS}?limit=${size}`)],
    [`Proxy: a provider's error with ${text || "no body"}`, get(`/proxy/user/repos?per_page=${size}`)],
  ]),
];

const VARIABLE = /^((?:svc-|x-)?(?:request-id|ratelimit-remaining|ratelimit-reset)|date): .*$/gim;
const GIVEN_ID = /^x-request-id: my\.own:id$/im;

/** Without what differs between any two responses; header lines in the order of their names. */
function normalized(received: string): string {
  const own = GIVEN_ID.exec(received)?.[0] ?? "";
  return received
    .replace(VARIABLE, (line, name) => (line === own ? line : `${name}: …`))
    .replace(/HTTP\/1\.1 \d{3} [\s\S]*?\r\n\r\n/g, (head) => {
      const [status, ...lines] = head.trimEnd().split("\r\n");
      return `${[status, ...lines.map((line) => line.replace(/^[^:]+/, (name) => name.toLowerCase())).sort()].join("\n")}\n\n`;
    });
}

const ways: Record<"direct" | "fastify", Map<string, string>> = { direct: new Map(), fastify: new Map() };

let stop: () => Promise<unknown> = async () => {};
beforeAll(async () => {
  const service = await startService({
    env: { ALLOW_PRIVATE_UPSTREAMS: "true", RATE_LIMIT: "100000/60", UNIFIED_RATE_LIMIT: "100000/60" },
  });
  const upstream = await startUpstream(answer);
  stop = () => Promise.all([service.close(), upstream.close()]);
  const { key, connection } = await connectTo(service, upstream.url);
  const credentials = [`Authorization: Bearer ${key}`, `SVC-Connection-ID: ${connection}`].join("\r\n");
  const sendDirectly = vi.spyOn(DirectReply.prototype, "header");
  for (const [way, answers] of Object.entries(ways)) {
    service.config.directPath = way === "direct";
    sendDirectly.mockClear();
    await Promise.all(
      cases.map(async ([name, text]) => {
        const bytes = Buffer.from(text.replaceAll(CREDENTIALS, credentials), "latin1");
        answers.set(name, normalized(await rawRequest(service.config.port, bytes, { waitMs: 30_000 })));
      }),
    );
    expect(sendDirectly.mock.calls.length > 0, way).toBe(service.config.directPath);
  }
});
afterAll(() => stop());

it.each(cases)("%s: the response is the same, served directly or by Fastify", (name, _, statuses) => {
  const response = ways.fastify.get(name)!;
  expect(ways.direct.get(name)).toBe(response);
  const heads = [...response.matchAll(/HTTP\/1\.1 [2-5]\d\d [\s\S]*?\n\n/g)].map(([head]) => head);
  if (statuses) expect(heads.map((head) => Number(head.split(" ")[1]))).toEqual(statuses);
  for (const head of heads) {
    expect(head).toMatch(/^(?:svc|x)-request-id: /m);
    if (/^HTTP\/1\.1 [45]/.test(head)) expect(head).toMatch(/^svc-error-source: (?:plugboard|provider)$/m);
  }
});
