// Attempts to make the Proxy call another host, leave the base address, or leak credentials. Two servers watch: one in
// the provider's place records every path that gets through, and another host must see nothing.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { rawRequest } from "../support/raw-request.ts";
import { startService, type TestService } from "../support/service.ts";
import { BASE_PATH, type Connected, connectTo, readText, startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
let upstream: Upstream;
let evil: Upstream;
let me: Connected;
let port: number;

beforeAll(async () => {
  service = await startService({
    // Private addresses are allowed, so only the Proxy itself can prevent a call to the other host.
    env: { ALLOW_PRIVATE_UPSTREAMS: "true", RATE_LIMIT: "100000/60" },
  });
  upstream = await startUpstream(async (request, response) => {
    const body = await readText(request).catch(() => "");
    response.end(JSON.stringify({ url: request.url, body }));
  });
  evil = await startUpstream();
  me = await connectTo(service, upstream.url);
  // Connecting reads whose account it is.
  upstream.seen.length = 0;
  port = Number(new URL(service.url).port);
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
  await evil?.close();
});

const fill = (text: string) => text.replaceAll("EVIL", `127.0.0.1:${evil.port}`);

const credentials = () => `Authorization: Bearer ${me.key}\r\nSVC-Connection-ID: ${me.connection}\r\n`;

/** The bytes of a request, with the target and further header lines unchanged. */
const requestBytes = (target: string, { method = "GET", lines = "", host = `127.0.0.1:${port}`, body = "" } = {}) =>
  Buffer.from(
    fill(
      `${method} ${target} HTTP/1.1\r\nHost: ${host}\r\n${credentials()}${lines}${
        /^Connection:/m.test(lines) ? "" : "Connection: close\r\n"
      }\r\n${body}`,
    ),
    "latin1",
  );

/** The paths that a server could read, decoding any number of times and treating `\` and `;` as some servers do. */
function readings(url: string): string[] {
  const found: string[] = [];
  let path = url.split("?")[0]!;
  for (let layers = 0; layers < 5; layers++) {
    found.push(new URL(`http://host${path.replaceAll(/;[^/]*/g, "").normalize("NFKC")}`).pathname);
    try {
      const inner = decodeURIComponent(path);
      if (inner === path) break;
      path = inner;
    } catch {
      break;
    }
  }
  return found;
}

// Checked after every attempt, whatever its outcome.
afterEach(() => {
  expect(evil.sockets()).toBe(0);
  for (const { url, headers } of upstream.seen) {
    for (const path of readings(url!)) expect(`${path}/`).toMatch(`${BASE_PATH}/`);
    expect(url).not.toContain("smuggled");
    expect(headers.host).toBe(`127.0.0.1:${upstream.port}`);
    expect(headers.authorization).toBe(`Bearer ${me.token}`);
    expect(JSON.stringify(headers)).not.toContain(me.key);
    expect(JSON.stringify(headers)).not.toContain(me.connection);
    expect(Object.keys(headers)).not.toContain("cookie");
  }
  upstream.seen.length = 0;
});

/** Everything that came back, which must not contain the token. */
async function send(bytes: Buffer): Promise<string> {
  const answer = await rawRequest(port, bytes);
  expect(answer).not.toContain(me.token);
  return answer;
}

describe("dangerous paths", () => {
  it.each([
    "//EVIL/x",
    "///EVIL/x",
    "//user:password@EVIL/x",
    "/%2fEVIL/x",
    "/%2f%2fEVIL/x",
    "/%5cEVIL/x",
    "/%5c%5cEVIL/x",
    "/%252f%252fEVIL/x",
    "/\\EVIL/x",
    "/api/v3//EVIL/x",
    "/api/v3/../secret",
    "/api/v3/..",
    "/api/v3/%2e%2e/secret",
    "/api/v3\\..\\secret",
    "/api/v3/api/v3/../../../secret",
    "/@api//EVIL/x",
    "/@api/../secret",
    "/@api/%2fEVIL/x",
    "/@api/api/v3//EVIL/x",
    "/..",
    "/.",
    "/../secret",
    "/./../secret",
    "/x/../../secret",
    "/a/b/../../../../secret",
    "/%2e%2e/secret",
    "/%2E%2E%2Fsecret",
    "/.%2e/secret",
    "/..%2fsecret",
    "/..%2f..%2fsecret",
    "/..%5csecret",
    "/..\\secret",
    "/x%5c..%5c..%5csecret",
    "/%252e%252e/secret",
    "/%25252e%25252e%25252fsecret",
    "/%252525252525252e%252525252525252e/secret",
    "/..;/secret",
    "/..;a=b/secret",
    "/..%3b/secret",
    "/x/..;/..;/secret",
    "/..%20/secret",
    "/%c0%ae%c0%ae/secret",
    "/%e0%80%ae%e0%80%ae/secret",
    "/%c0%af..%c0%afsecret",
    "/%uff0e%uff0e/secret",
    "/%ef%bc%8e%ef%bc%8e/secret",
    "/%ef%bc%8e%ef%bc%8e%ef%bc%8fsecret",
    "/%e2%80%a5/secret",
    "/%00",
    "/..%00/secret",
    "/x%00.json",
    "/x%0d%0aHost:%20EVIL",
    "/x%0d%0a%0d%0aGET%20/smuggled%20HTTP/1.1",
    "/x%0aX-Injected:%201",
    "/x%250d%250aX-Injected:%201",
    "/x%7f",
    "/%",
    "/%zz",
    "/x#@EVIL/",
    "/x?y=1#@EVIL/",
    "/x\x80y",
    "/\xc0\xae\xc0\xae/secret",
  ])("the path %s is refused", async (path) => {
    const answer = await send(requestBytes(`/proxy${path}`));
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    expect(upstream.seen).toHaveLength(0);
  });

  it("a refused path gets path_invalid with a message that says why", async () => {
    for (const path of ["/../secret", "//EVIL", "/%zz", "/x#y", "/%00"]) {
      const answer = await send(requestBytes(`/proxy${path}`));
      expect(JSON.parse(answer.split("\r\n\r\n")[1]!)).toEqual({
        status: 400,
        code: "path_invalid",
        message: expect.stringMatching(/^The path /),
      });
    }
  });
});

describe("paths that look dangerous but stay below the base address", () => {
  it.each([
    "/http://EVIL/x",
    "/x//EVIL/x",
    "/@EVIL/x",
    "/x:80@EVIL",
    "/x?url=http://EVIL/",
    "/x?@EVIL",
    "/x?a=../../secret",
    "/x?a=%0d%0aHost:%20EVIL",
    "/x;..;y",
    "/a%2Fb/c%5Cd",
    "/..x/x../...",
  ])("the path %s is passed on unchanged", async (path) => {
    const answer = await send(requestBytes(`/proxy${path}`));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(upstream.seen.map(({ url }) => url)).toEqual([fill(BASE_PATH + path)]);
  });
});

describe("request targets outside the Proxy", () => {
  it.each([
    "http://EVIL/proxy/x",
    "http://EVIL/x",
    "https://EVIL/proxy/x",
    "http://user:password@EVIL/proxy/x",
    "HTTP://EVIL/proxy/x",
    "EVIL/proxy/x",
    "EVIL",
    "proxy/x",
    "/proxy@EVIL/x",
    "/proxy:80@EVIL/x",
    "/proxy.EVIL/x",
    "/Proxy/x",
    "/%70roxy/../x",
    "/proxy\\EVIL",
    "/proxy\\\\EVIL\\x",
    "/%70roxy/x",
    "/proxy;/x",
    "*",
  ])("the request target %s is refused", async (target) => {
    const answer = await send(requestBytes(target));
    expect(answer).toMatch(/^HTTP\/1.1 4\d\d /);
    expect(upstream.seen).toHaveLength(0);
  });

  it("CONNECT to another host is refused", async () => {
    expect(await send(requestBytes("EVIL", { method: "CONNECT" }))).not.toMatch(/^HTTP\/1.1 2/);
    expect(upstream.seen).toHaveLength(0);
    expect(evil.sockets()).toBe(0);
  });
});

describe("headers that try to change the destination or the identity", () => {
  it.each([
    "X-Forwarded-Host: EVIL\r\nX-Forwarded-Proto: https\r\n",
    "Forwarded: host=EVIL\r\n",
    "X-Host: EVIL\r\n",
    "X-HTTP-Host-Override: EVIL\r\n",
    "X-Original-URL: /secret\r\nX-Rewrite-URL: /secret\r\n",
    "Connection: close, Authorization\r\n",
    "Connection: close, Host, X-GitHub-Api-Version\r\n",
    "Connection: close, Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA\r\n",
    "Cookie: session=1\r\n",
    "Proxy-Authorization: Basic eDp5\r\nProxy-Connection: keep-alive\r\n",
    "authorization: Bearer another\r\n",
    "Destination: http://EVIL/\r\n",
    "Host: EVIL\r\n",
  ])("the header lines %j change neither destination nor identity", async (lines) => {
    const answer = await send(requestBytes("/proxy/x", { lines }));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(upstream.seen).toHaveLength(1);
    for (const name of ["x-forwarded-host", "forwarded", "x-host", "x-original-url", "upgrade", "proxy-authorization"])
      expect(upstream.seen[0]!.headers).not.toHaveProperty(name);
  });

  it.each(["EVIL", "user:password@EVIL"])("the Host header %s does not change the destination", async (host) => {
    const answer = await send(requestBytes("/proxy/x", { host: fill(host) }));
    expect(answer).toMatch(/^HTTP\/1.1 200 /);
    expect(upstream.seen.map(({ url }) => url)).toEqual([`${BASE_PATH}/x`]);
    expect(evil.sockets()).toBe(0);
  });

  it.each([
    "SVC-Connection-ID: conn_another\r\n",
    "Expect: nonsense\r\n",
    "X-Broken : 1\r\n",
    " folded: 1\r\n",
    "X-Bare: a\rb\r\n",
    "X-Null: a\0b\r\n",
    "X-Bare: a\nX-Injected: 1\r\n",
  ])("the header lines %j are refused", async (lines) => {
    const answer = await send(requestBytes("/proxy/x", { lines }));
    expect(answer === "" || /^HTTP\/1.1 4\d\d /.test(answer)).toBe(true);
    expect(upstream.seen).toHaveLength(0);
  });
});

describe("request smuggling", () => {
  const smuggled = "GET /proxy/smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
  const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;

  it.each([
    ["two lengths that differ", `Content-Length: 5\r\nContent-Length: ${5 + smuggled.length}\r\n`, `12345${smuggled}`],
    ["two lengths in one header", "Content-Length: 5, 5\r\n", `12345${smuggled}`],
    ["a length and chunks", "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", `0\r\n\r\n${smuggled}`],
    ["chunks and a length", "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${smuggled}`],
    ["a coding that is not chunked", "Transfer-Encoding: xchunked\r\n", chunk(smuggled)],
    ["chunked, and something after it", "Transfer-Encoding: chunked, identity\r\n", chunk(smuggled)],
    ["a space before the colon", "Transfer-Encoding : chunked\r\nContent-Length: 5\r\n", `0\r\n\r\n${smuggled}`],
    ["two codings", "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", `0\r\n\r\n${smuggled}`],
    ["a negative length", "Content-Length: -1\r\n", smuggled],
    ["a length in hexadecimal", "Content-Length: 0x5\r\n", `12345${smuggled}`],
    ["a length with a plus", "Content-Length: +5\r\n", `12345${smuggled}`],
    ["a broken chunk size", "Transfer-Encoding: chunked\r\n", `zz\r\n${smuggled}`],
    ["a chunk that ends with a line feed only", "Transfer-Encoding: chunked\r\n", `5\n12345\n0\n\n${smuggled}`],
  ])("a request with %s is refused", async (_, lines, body) => {
    const answer = await send(
      requestBytes("/proxy/x", { method: "POST", lines: `${lines}Connection: keep-alive\r\n`, body }),
    );
    expect(answer).toMatch(/^HTTP\/1.1 400 /);
    // If the head was valid, the call may have been started, but it was never completed.
    expect(upstream.seen.length).toBeLessThanOrEqual(1);
    expect(answer).not.toContain('"url"');
  });

  it("a body that contains a request stays a body, also with GET", async () => {
    for (const method of ["GET", "POST"]) {
      const lines = `Content-Length: ${smuggled.length}\r\n`;
      const answer = await send(requestBytes("/proxy/x", { method, lines, body: smuggled }));
      expect(JSON.parse(answer.split("\r\n\r\n").slice(1).join("\r\n\r\n"))).toEqual({
        url: `${BASE_PATH}/x`,
        body: smuggled,
      });
    }
    expect(upstream.seen).toHaveLength(2);
  });

  it("a second request on the same connection is handled separately and needs its own key", async () => {
    const answer = await send(
      Buffer.concat([
        requestBytes("/proxy/x", { lines: "Connection: keep-alive\r\n" }),
        Buffer.from(smuggled.replace("Host: x", "Host: x\r\nConnection: close")),
      ]),
    );
    expect(answer.match(/HTTP\/1.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 401"]);
    expect(upstream.seen).toHaveLength(1);
  });
});
