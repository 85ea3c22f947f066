// The Proxy over real HTTP: a client, the service, and a server that stands in for the provider.
import { once } from "node:events";
import { request as httpRequest, type IncomingMessage } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { rawRequest } from "../support/raw-request.ts";
import { startService, type TestService } from "../support/service.ts";
import { BASE_PATH, type Connected, connectTo, readText, startUpstream, type Upstream } from "../support/upstream.ts";

let service: TestService;
let upstream: Upstream;
let me: Connected;

beforeAll(async () => {
  service = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true", RATE_LIMIT: "100000/60" } });
  upstream = await startUpstream();
  me = await connectTo(service, upstream.url);
});
afterAll(async () => {
  await service?.close();
  await upstream?.close();
});
beforeEach(() => {
  upstream.seen.length = 0;
  upstream.answer((_, response) => response.end("ok"));
});

const call = (path: string, init: RequestInit & { duplex?: "half" } = {}) =>
  fetch(`${service.url}/proxy${path}`, {
    redirect: "manual",
    ...init,
    headers: { ...me.headers, ...(init.headers as Record<string, string>) },
  });

/** A request whose raw form `fetch` would change. */
async function plainCall(path: string, options: { method?: string; headers?: Record<string, string> } = {}) {
  const { hostname, port } = new URL(service.url);
  const request = httpRequest({
    hostname,
    port,
    // Not a URL, which would be normalized first.
    path: `/proxy${path}`,
    ...options,
    headers: { ...me.headers, ...options.headers },
  });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { response, text: await readText(response) };
}

describe("errors of the Proxy", () => {
  const ask = (headers: Record<string, string>, path = "/x") => fetch(`${service.url}/proxy${path}`, { headers });

  it("a missing or unknown key gets 401 with only a status and a message", async () => {
    for (const headers of [
      {},
      { authorization: "Bearer sk_unknown" },
      { authorization: "Basic c2s6" },
      { authorization: "Bearer " },
      { "SVC-Connection-ID": me.connection },
    ] as Record<string, string>[]) {
      const response = await ask(headers);
      expect(response.status).toBe(401);
      expect(await response.json()).toEqual({ status: 401, message: "Not authorized" });
      expect(response.headers.get("x-request-id")).toBeTruthy();
    }
  });

  it("a missing or unknown connection, or one of another workspace, gets 400 connection_invalid", async () => {
    const stranger = await service.createWorkspace("stranger");
    for (const headers of [
      { authorization: `Bearer ${me.key}` },
      { authorization: `Bearer ${me.key}`, "SVC-Connection-ID": "" },
      { authorization: `Bearer ${me.key}`, "SVC-Connection-ID": "conn_unknown" },
      { authorization: `Bearer ${stranger}`, "SVC-Connection-ID": me.connection },
      { authorization: `Bearer ${stranger}.${me.connection}` },
    ] as Record<string, string>[]) {
      const response = await ask(headers);
      expect(response.status).toBe(400);
      expect(await response.json()).toEqual({
        status: 400,
        code: "connection_invalid",
        message: "Missing or invalid connection ID",
      });
    }
    expect(upstream.seen).toHaveLength(0);
  });

  it("key and connection can be sent as one credential", async () => {
    expect((await ask({ authorization: `Bearer ${me.key}.${me.connection}` })).status).toBe(200);
  });

  it("a connection whose integration was deleted gets 400 integration_not_found", async () => {
    const other = await connectTo(service, upstream.url);
    await fetch(`${service.url}/platform/v1/integrations/${other.integration}`, {
      method: "DELETE",
      headers: { authorization: `Bearer ${other.key}` },
    });
    const response = await ask(other.headers);
    expect([response.status, await response.json()]).toEqual([
      400,
      { status: 400, code: "integration_not_found", message: "Integration not found for connection" },
    ]);
  });

  it("a provider that cannot be reached or closes the connection gets 502 as plain text", async () => {
    const stopped = await startUpstream();
    const unreachable = await connectTo(service, stopped.url);
    await stopped.close();
    const response = await ask({ ...unreachable.headers, "SVC-Max-Retries": "0" });
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      502,
      "text/plain; charset=utf-8",
      "Error fetching proxied request",
    ]);
    upstream.answer((request) => request.socket.destroy());
    expect((await call("/hang-up", { method: "POST", body: "x" })).status).toBe(502);
    expect(upstream.seen).toHaveLength(1);
  });

  it("a Max-Retries header that is not a number is refused", async () => {
    const response = await call("/x", { headers: { "SVC-Max-Retries": "many" } });
    expect([response.status, ((await response.json()) as any).code]).toEqual([400, "header_invalid"]);
    expect(upstream.seen).toHaveLength(0);
  });
});

describe("requests to the provider", () => {
  it("a request reaches the base address with its path and query unchanged", async () => {
    for (const path of [
      "",
      "/",
      "?",
      "?a=1",
      "/x",
      "/x/",
      "/a%2Fb/c%20d?q=%2e%2e/&q=1;2&empty=&flag&b[]=1",
      "/a//b",
      "/search/issues?q=repo:a/b+is:open",
      "/files/a..b/.hidden/...",
      `/long/${"x".repeat(8_000)}`,
    ]) {
      upstream.seen.length = 0;
      const { response } = await plainCall(path);
      expect([path, response.statusCode]).toEqual([path, 200]);
      expect(upstream.seen.map(({ url }) => url)).toEqual([BASE_PATH + path]);
    }
  });

  it("a request carries the connection's credentials and the manifest's headers, and none of the client's private headers", async () => {
    await plainCall("/x", {
      headers: {
        Connection: "close, X-Hop",
        "X-Hop": "1",
        Cookie: "session=1",
        "Proxy-Authorization": "Basic eDp5",
        TE: "trailers",
        "X-Forwarded-For": "10.0.0.1",
        "X-Forwarded-Host": "evil.example",
        Forwarded: "for=10.0.0.1",
        "SVC-Max-Retries": "0",
        "SVC-Anything": "1",
        "X-Custom": "kept",
        "If-None-Match": '"abc"',
      },
    });
    const [{ headers }] = upstream.seen as [IncomingMessage];
    expect(headers).toMatchObject({
      host: `127.0.0.1:${upstream.port}`,
      authorization: `Bearer ${me.token}`,
      "user-agent": "plugboard",
      accept: "application/vnd.github+json",
      "x-github-api-version": "2022-11-28",
      "x-custom": "kept",
      "if-none-match": '"abc"',
    });
    for (const name of ["x-hop", "cookie", "proxy-authorization", "te", "x-forwarded-for", "x-forwarded-host"])
      expect(headers).not.toHaveProperty(name);
    expect(Object.keys(headers).filter((name) => name.startsWith("svc-") || name === "forwarded")).toEqual([]);
  });

  it("a request keeps the client's accept, content type and user agent", async () => {
    await call("/x", {
      method: "POST",
      body: "{}",
      headers: { accept: "application/vnd.github.raw", "content-type": "application/x-thing", "user-agent": "me/1" },
    });
    expect(upstream.seen[0]!.headers).toMatchObject({
      accept: "application/vnd.github.raw",
      "content-type": "application/x-thing",
      "user-agent": "me/1",
    });
  });

  it("requests with any method and any content type are passed on, well-formed or not", async () => {
    upstream.answer(async (request, response) => response.end(await readText(request)));
    for (const method of ["POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND", "QUERY", "PURGE", "MKCOL"]) {
      const response = await call("/x", { method, body: `{"broken`, headers: { "content-type": ";;not a type" } });
      expect([method, response.status, await response.text()]).toEqual([method, 200, `{"broken`]);
    }
    expect(upstream.seen.at(-1)!.method).toBe("MKCOL");
  });

  it("TRACE is refused, because its answer would show the credentials", async () => {
    const { response, text } = await plainCall("/x", { method: "TRACE" });
    expect([response.statusCode, JSON.parse(text).code]).toEqual([400, "method_invalid"]);
    expect(upstream.seen).toHaveLength(0);
  });

  it("a body of known length keeps its length, and any other is chunked", async () => {
    upstream.answer(async (request, response) => response.end(await readText(request)));
    await call("/x", { method: "POST", body: "12345" });
    expect(upstream.seen[0]!.headers).toMatchObject({ "content-length": "5" });
    const chunks = new ReadableStream({
      start(controller) {
        for (const part of ["one ", "two ", "three"]) controller.enqueue(Buffer.from(part));
        controller.close();
      },
    });
    const response = await call("/x", { method: "PUT", body: chunks, duplex: "half" });
    expect(await response.text()).toBe("one two three");
    expect(upstream.seen[1]!.headers["transfer-encoding"]).toBe("chunked");
    await call("/x", { method: "POST" });
    expect(upstream.seen[2]!.headers).toMatchObject({ "content-length": "0" });
  });

  it("a client that sends Expect: 100-continue is told to continue", async () => {
    upstream.answer(async (request, response) => response.end(await readText(request)));
    const request = httpRequest(`${service.url}/proxy/x`, {
      method: "POST",
      headers: { ...me.headers, expect: "100-continue", "content-length": "5" },
    });
    request.flushHeaders();
    await once(request, "continue");
    request.end("hello");
    const [response] = (await once(request, "response")) as [IncomingMessage];
    expect(await readText(response)).toBe("hello");
    expect(upstream.seen[0]!.headers).not.toHaveProperty("expect");
  });

  it("an answer that comes before the body was read is passed on, and the next request works", async () => {
    upstream.answer((_, response) => response.writeHead(413).end("too large"));
    const big = Buffer.alloc(8 * 1024 * 1024);
    const response = await call("/x", { method: "POST", body: big });
    expect([response.status, await response.text()]).toEqual([413, "too large"]);
    upstream.answer((_, response) => response.end("ok"));
    expect((await call("/x")).status).toBe(200);
  });
});

describe("answers of the provider", () => {
  it("an answer keeps its status, all end-to-end headers, duplicates included, and its bytes", async () => {
    const packed = gzipSync("a packed body");
    upstream.answer((_, response) => {
      response.writeHead(203, "Odd But Fine", [
        ...["Content-Encoding", "gzip"],
        ...["Content-Length", String(packed.length)],
        ...["Content-Type", "application/x-odd; a=b"],
        ...["ETag", '"abc"'],
        ...["Link", '<https://example.com/?page=2>; rel="next"'],
        ...["Link", '<https://example.com/?page=9>; rel="last"'],
        ...["Set-Cookie", "a=1"],
        ...["Set-Cookie", "b=2; Path=/"],
        ...["X-RateLimit-Remaining", "41"],
        ...["X-Latin", "gr\u00fc\u00dfe"],
        ...["Connection", "close, X-Hop"],
        ...["X-Hop", "1"],
        ...["Keep-Alive", "timeout=9"],
        ...["Date", "Thu, 01 Jan 1970 00:00:00 GMT"],
      ]);
      response.end(packed);
    });
    const request = httpRequest(`${service.url}/proxy/x`, { headers: me.headers });
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    const chunks: Buffer[] = [];
    for await (const chunk of response) chunks.push(chunk);
    expect(response.statusCode).toBe(203);
    expect(Buffer.concat(chunks)).toEqual(packed);
    expect(response.headersDistinct).toMatchObject({
      "content-encoding": ["gzip"],
      "content-length": [String(packed.length)],
      "content-type": ["application/x-odd; a=b"],
      etag: ['"abc"'],
      link: ['<https://example.com/?page=2>; rel="next"', '<https://example.com/?page=9>; rel="last"'],
      "set-cookie": ["a=1", "b=2; Path=/"],
      "x-ratelimit-remaining": ["41"],
      "x-latin": ["gr\u00fc\u00dfe"],
      date: ["Thu, 01 Jan 1970 00:00:00 GMT"],
    });
    expect(response.headers).not.toHaveProperty("x-hop");
    expect(response.headers["keep-alive"]).not.toBe("timeout=9");
    expect(response.headers["x-request-id"]).toMatch(/^[\w-]{36}$/);
  });

  it("a header with any byte in its name or value is passed on or gets 502, and no client waits", async () => {
    let header = Buffer.alloc(0);
    const raw = createServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => {
        const lines = ["HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 2\r\n", header, "\r\n\r\nok"];
        socket.end(Buffer.concat(lines.map((line) => Buffer.from(line))));
      });
    });
    raw.listen(0, "127.0.0.1");
    await once(raw, "listening");
    const { headers } = await connectTo(service, `http://127.0.0.1:${(raw.address() as AddressInfo).port}`);
    const refused = { name: 0, value: 0 };
    for (const part of ["name", "value"] as const)
      for (let byte = 0; byte < 256; byte++) {
        const [before, after] = part === "name" ? ["X-", "A: 1"] : ["X-A: 1", "2"];
        header = Buffer.concat([Buffer.from(before), Buffer.from([byte]), Buffer.from(after)]);
        const signal = AbortSignal.timeout(60_000);
        const response = await call("/x", { headers: { ...headers, "SVC-Max-Retries": "0" }, signal });
        if (response.status === 502) refused[part]++;
        expect(`${response.status} ${await response.text()}`).toMatch(/^(200 ok|502 Error fetching proxied request)$/);
      }
    raw.close();
    // All but tokens and a colon; control characters but the tab.
    expect(refused).toEqual({ name: 256 - 78, value: 32 });
  });

  it("an answer keeps the provider's request id and carries ours in another header", async () => {
    upstream.answer((_, response) => response.setHeader("X-Request-Id", "theirs").end());
    const response = await call("/x", { headers: { "x-request-id": "mine-1" } });
    expect(response.headers.get("x-request-id")).toBe("theirs");
    expect(response.headers.get("svc-request-id")).toBe("mine-1");
  });

  it("Link headers to the provider's API are rewritten to the Proxy, and no others", async () => {
    const api = upstream.url + BASE_PATH;
    upstream.answer((_, response) => {
      response.setHeader("Link", [
        `<${api}/x?page=2>; rel="next", <${api}?page=9>; rel="last"`,
        `<${upstream.url}/elsewhere>; rel="help", <${api}x>; rel="odd", <https://other.example/>; rel="other"`,
      ]);
      response.end();
    });
    const { response } = await plainCall("/x");
    const own = service.config.urls.proxy;
    expect(response.headersDistinct.link).toEqual([
      `<${own}/x?page=2>; rel="next", <${own}?page=9>; rel="last"`,
      `<${upstream.url}/elsewhere>; rel="help", <${api}x>; rel="odd", <https://other.example/>; rel="other"`,
    ]);
  });

  it("a path that begins with the base address's own path reaches the provider once prefixed, with query and body", async () => {
    await plainCall(`${BASE_PATH}/repos/a%2Fb?x=%20y`);
    await call(`${BASE_PATH}/repos`, { method: "POST", body: "{}" });
    await plainCall(`${BASE_PATH}${BASE_PATH}/repos`);
    await plainCall(`${BASE_PATH}x/repos`);
    expect(upstream.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      `GET ${BASE_PATH}/repos/a%2Fb?x=%20y`,
      `POST ${BASE_PATH}/repos`,
      `GET ${BASE_PATH}${BASE_PATH}/repos`,
      `GET ${BASE_PATH}${BASE_PATH}x/repos`,
    ]);
  });

  it("Link headers have the form of the client's own path", async () => {
    upstream.answer((_, response) =>
      response.setHeader("Link", `<${upstream.url}${BASE_PATH}/x?page=2>; rel="next"`).end(),
    );
    for (const prefix of ["", BASE_PATH, "/@api", `/@api${BASE_PATH}`]) {
      const { response } = await plainCall(`${prefix}/x`);
      expect(response.headers.link).toBe(`<${service.config.urls.proxy}${prefix}/x?page=2>; rel="next"`);
    }
  });

  it("links to the provider's addresses in JSON lead to the Proxy, and all else is unchanged", async () => {
    const body = (base: string, uploads: string) =>
      `{"values":[{"next":1,"text":"Grüße 👋 ${"x".repeat(5000)}"}],"next":"${base}/x?page=2","upload_url":"${uploads}/x{?name}"}`;
    const given = body(upstream.url + BASE_PATH, `${upstream.url}/api/uploads`);
    const { proxy } = service.config.urls;
    const json = { "content-type": "application/json" };
    for (const method of ["GET", "POST"]) {
      upstream.answer((_, response) => response.writeHead(method === "GET" ? 200 : 201, json).end(given));
      const { response, text } = await plainCall("/x", { method, headers: { "accept-encoding": "gzip" } });
      expect(text).toBe(body(proxy, `${proxy}/@uploads`));
      expect(response.headers["content-length"]).toBeUndefined();
      expect(upstream.seen.at(-1)!.headers["accept-encoding"]).toBe("identity");
    }
    // Another content type, a compressed body, a file, or a part of a body.
    const range = { "content-range": "bytes 0-9/10", "content-length": String(Buffer.byteLength(given)) };
    for (const [status, headers] of [
      [200, { "content-type": "text/plain" }],
      [200, { ...json, "content-encoding": "br" }],
      [200, { ...json, "content-disposition": "attachment" }],
      [206, { ...json, ...range }],
    ] as const) {
      upstream.answer((_, response) => response.writeHead(status, headers).end(given));
      const { response, text } = await plainCall("/x");
      expect([text, response.headers]).toEqual([given, expect.objectContaining(headers)]);
    }
  });

  it("a JSON file of a provider that says which requests return files is unchanged", async () => {
    const { headers } = await connectTo(service, upstream.url, {
      identifier: "google-drive",
      type: "oauth2",
      client_id: "id",
      client_secret: "secret",
    });
    const file = `["${upstream.url}/drive/v3/files"]`;
    upstream.answer((_, response) => response.writeHead(200, { "content-type": "application/json" }).end(file));
    expect((await plainCall("/files/1?alt=media", { headers })).text).toBe(file);
    expect((await plainCall("/files/1", { headers })).text).toBe(`["${service.config.urls.proxy}/files"]`);
  });

  it("another address of the provider is reached by its name, and Link headers stay there", async () => {
    const { headers } = await connectTo(service, upstream.url, { identifier: "gitlab" });
    // Connecting reads whose account it is.
    upstream.seen.length = 0;
    upstream.answer((request, response) =>
      response.setHeader("Link", `<${upstream.url}${request.url}?page=2>; rel="next"`).end(),
    );
    const { response } = await plainCall("/@site/api/graphql", { headers });
    expect(response.headers.link).toBe(`<${service.config.urls.proxy}/@site/api/graphql?page=2>; rel="next"`);
    const next = await plainCall("/@site/api/graphql?page=2", { headers });
    expect(next.response.statusCode).toBe(200);
    expect(upstream.seen.map(({ url }) => url)).toEqual(["/api/graphql", "/api/graphql?page=2"]);
  });

  it("an unknown address, and those of OAuth and MCP, get path_invalid with the names that there are", async () => {
    for (const name of ["nowhere", "token", "mcp"]) {
      const { response, text } = await plainCall(`/@${name}/x`);
      expect([response.statusCode, JSON.parse(text)]).toEqual([
        400,
        {
          status: 400,
          code: "path_invalid",
          message: `The path must not begin with /@${name}: the provider's addresses are @api, @uploads`,
        },
      ]);
    }
    expect(upstream.seen).toHaveLength(0);
  });

  it.each([301, 302, 303, 307, 308])("a redirect (%i) is returned and not followed", async (status) => {
    const evil = await startUpstream();
    upstream.answer((_, response) => response.writeHead(status, { location: `${evil.url}/steal` }).end());
    const response = await call("/x");
    expect([response.status, response.headers.get("location")]).toEqual([status, `${evil.url}/steal`]);
    expect(evil.sockets()).toBe(0);
    await evil.close();
  });

  it.each([400, 401, 403, 404, 409, 410, 418, 422, 451])("an error (%i) is passed on unchanged", async (status) => {
    upstream.answer((_, response) => response.writeHead(status, { "content-type": "text/odd" }).end("why"));
    const response = await call("/x");
    expect([response.status, response.headers.get("content-type"), await response.text()]).toEqual([
      status,
      "text/odd",
      "why",
    ]);
    expect(upstream.seen).toHaveLength(1);
  });

  it("answers to HEAD, 204 and 304 have no body and keep their content-length", async () => {
    upstream.answer((request, response) => {
      const status = Number(request.url!.split("/").at(-1));
      response.writeHead(status, status === 204 ? { etag: "x" } : { etag: "x", "content-length": "1234" }).end();
    });
    const head = await plainCall("/200", { method: "HEAD" });
    expect([head.response.statusCode, head.response.headers["content-length"], head.text]).toEqual([200, "1234", ""]);
    const none = await plainCall("/204");
    expect([none.response.statusCode, none.response.headers.etag, none.text]).toEqual([204, "x", ""]);
    expect(none.response.headers).not.toHaveProperty("transfer-encoding");
    const same = await plainCall("/304");
    expect([same.response.statusCode, same.response.headers["content-length"], same.text]).toEqual([304, "1234", ""]);
  });

  it("a request for a range returns the range", async () => {
    const whole = "0123456789";
    upstream.answer((request, response) => {
      const [, from, to] = /bytes=(\d+)-(\d+)/.exec(request.headers.range!)!;
      response.writeHead(206, { "content-range": `bytes ${from}-${to}/10`, "accept-ranges": "bytes" });
      response.end(whole.slice(Number(from), Number(to) + 1));
    });
    const response = await call("/x", { headers: { range: "bytes=2-4" } });
    expect([response.status, response.headers.get("content-range"), await response.text()]).toEqual([
      206,
      "bytes 2-4/10",
      "234",
    ]);
  });

  it("an answer reaches the client as it arrives, headers first", async () => {
    let go = () => {};
    upstream.answer((_, response) => {
      response.writeHead(200, { "content-type": "text/plain" }).flushHeaders();
      go = () => response.write("first", () => void 0);
    });
    const response = await call("/x");
    const reader = response.body!.getReader();
    go();
    expect(Buffer.from((await reader.read()).value!).toString()).toBe("first");
    await reader.cancel();
  });

  it("an answer that breaks off also breaks off for the client, with a length or chunked", async () => {
    for (const headers of [{ "content-length": "100" }, {}] as Record<string, string>[]) {
      upstream.answer((_, response) => {
        response.writeHead(200, headers);
        response.write("half", () => response.destroy());
      });
      const response = await call("/x", { headers: { "SVC-Max-Retries": "0" } });
      await expect(response.text()).rejects.toThrow();
    }
  });
});

describe("a client that disconnects", () => {
  const closing = ({ socket }: IncomingMessage) => new Promise((resolve) => socket.once("close", resolve));

  it("a client that disconnects before or during the answer ends the call to the provider", async () => {
    for (const begin of [false, true]) {
      const arrived = Promise.withResolvers<IncomingMessage>();
      upstream.answer((request, response) => {
        if (begin) response.write("begun");
        arrived.resolve(request);
      });
      const controller = new AbortController();
      const response = call("/x", { signal: controller.signal }).catch(() => undefined);
      const request = await arrived.promise;
      if (begin) await response;
      const closed = closing(request);
      controller.abort();
      await closed;
    }
    expect(upstream.seen).toHaveLength(2);
  });

  it("a client that disconnects during its upload ends the call to the provider", async () => {
    const arrived = Promise.withResolvers<IncomingMessage>();
    upstream.answer((request) => {
      request.on("error", () => {});
      arrived.resolve(request);
    });
    const socket = httpRequest(`${service.url}/proxy/x`, {
      method: "POST",
      headers: { ...me.headers, "content-length": "1000" },
    });
    socket.on("error", () => {});
    socket.write("begun");
    const request = await arrived.promise;
    const closed = closing(request);
    socket.destroy();
    await closed;
    expect([request.complete, request.socket.destroyed]).toEqual([false, true]);
    expect(upstream.seen).toHaveLength(1);
  });
});

describe("retries", () => {
  const failing = (times: number, status: number) => {
    let left = times;
    upstream.answer((_, response) => {
      if (left-- > 0) response.writeHead(status, { "retry-after": "0" }).end("x".repeat(10_000));
      else response.end("at last");
    });
  };

  it.each(["GET", "HEAD", "OPTIONS"])(
    "%s is retried by the Proxy on 429, 5xx and 408, three times by default",
    async (method) => {
      for (const status of [429, 500, 502, 503, 408]) {
        upstream.seen.length = 0;
        failing(3, status);
        expect((await call("/x", { method })).status).toBe(200);
        expect(upstream.seen).toHaveLength(4);
      }
      failing(4, 503);
      expect((await call("/x", { method })).status).toBe(503);
    },
  );

  it.each(["POST", "PUT", "PATCH", "DELETE"])("%s is not retried by the Proxy", async (method) => {
    failing(1, 503);
    const response = await call("/x", { method });
    expect([response.status, (await response.text()).length]).toEqual([503, 10_000]);
    expect(upstream.seen).toHaveLength(1);
  });

  it("a request is retried as often as Max-Retries says, at most five times", async () => {
    for (const [sent, calls] of [
      ["0", 1],
      ["1", 2],
      ["", 4],
      ["99", 6],
    ] as const) {
      upstream.seen.length = 0;
      failing(100, 500);
      expect((await call("/x", { headers: { "SVC-Max-Retries": sent } })).status).toBe(500);
      expect([sent, upstream.seen.length]).toEqual([sent, calls]);
    }
  });

  it("a broken connection is retried, and an answer with a long Retry-After is not", async () => {
    let broken = false;
    upstream.answer((request, response) => {
      if (broken) return response.end("ok");
      broken = true;
      request.socket.destroy();
    });
    expect((await call("/x")).status).toBe(200);
    upstream.answer((_, response) => response.writeHead(429, { "retry-after": "3600" }).end());
    upstream.seen.length = 0;
    const response = await call("/x");
    expect([response.status, response.headers.get("retry-after")]).toEqual([429, "3600"]);
    expect(upstream.seen).toHaveLength(1);
  });

  it("a retry does not wait for the body of the failed answer", async () => {
    let first = true;
    upstream.answer((_, response) => {
      if (!first) return response.end("ok");
      first = false;
      response.writeHead(503, { "retry-after": "0" }).write("and then nothing");
    });
    expect(await (await call("/x")).text()).toBe("ok");
  });
});

it("an open event stream does not delay the stop of the service", async () => {
  const own = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  const connected = await connectTo(own, upstream.url);
  upstream.answer((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" }).write("data: 1\n\n");
  });
  const response = await fetch(`${own.url}/proxy/x`, { headers: connected.headers });
  const ended = response.text().catch(() => "broken off");
  const stopped = own.close();
  expect(await ended).toBe("broken off");
  await stopped;
});

it("the Proxy logs no token, key or query", async () => {
  const secret = crypto.randomUUID();
  await call(`/x?secret=${secret}`);
  upstream.answer((request) => request.socket.destroy());
  await call(`/x?secret=${secret}`, { headers: { "SVC-Max-Retries": "0" } });
  const logs = service.logs();
  for (const hidden of [secret, me.token, me.key]) expect(logs).not.toContain(hidden);
  expect(logs).toContain('"path":"/proxy/x"');
});

it("a malformed request gets 400 from the Proxy itself", async () => {
  const port = Number(new URL(service.url).port);
  expect(await rawRequest(port, "GET /proxy/x HTTP/1.1\r\n\r\n")).toMatch(/^HTTP\/1.1 400/);
});
