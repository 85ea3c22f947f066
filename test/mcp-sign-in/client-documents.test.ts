// Clients whose ID is the address of a document: what is read, and what is refused.
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Browser } from "../access/support/browser.ts";
import { startService, type TestService } from "../support/service.ts";
import { answerOf, decide, REDIRECT_URI, reachConsent, TestClient } from "./support.ts";

let answer: RequestListener;
let requests = 0;
const server = createServer((request, response) => {
  requests++;
  answer(request, response);
});
let origin: string;
let open: TestService;
let strict: TestService;
beforeAll(async () => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  open = await startService({ env: { ALLOW_PRIVATE_UPSTREAMS: "true" } });
  strict = await startService();
});
afterAll(async () => {
  await open?.close();
  await strict?.close();
  server.closeAllConnections();
  server.close();
});

let documents = 0;
const newId = () => `${origin}/clients/${++documents}.json`;
const documentOf = (id: string, change: object = {}) => ({
  client_id: id,
  client_name: "Documented client",
  redirect_uris: [REDIRECT_URI],
  token_endpoint_auth_method: "none",
  ...change,
});
const sends =
  (body: unknown, status = 200, headers: Record<string, string> = {}): RequestListener =>
  (_, response) =>
    response.writeHead(status, headers).end(typeof body === "string" ? body : JSON.stringify(body));

const visit = (service: TestService, id: string) => new Browser().send(new TestClient(service, id).authorizeUrl());

it("a client is who its document says, and the document is kept for a while", async () => {
  const id = newId();
  answer = sends(documentOf(id));
  const client = new TestClient(open, id);
  const before = requests;
  const { browser, page } = await reachConsent(client);
  expect(page.html).toContain("<h1>Allow Documented client to use your accounts?</h1>");
  expect(page.html).toContain(`has chosen its name itself, at <strong>${new URL(origin).host}</strong>`);
  const code = answerOf(await decide(browser, page)).get("code")!;
  expect((await client.redeem(code)).status).toBe(200);
  await reachConsent(client);
  expect(requests).toBe(before + 1);
});

describe("a document is refused", () => {
  it.each<[string, (id: string) => RequestListener]>([
    ["that is about another client", (id) => sends(documentOf(`${id}x`))],
    ["that names no client", (id) => sends(documentOf(id, { client_id: undefined }))],
    ["without addresses to return to", (id) => sends(documentOf(id, { redirect_uris: undefined }))],
    ["with an empty list of addresses", (id) => sends(documentOf(id, { redirect_uris: [] }))],
    ["with addresses that are no texts", (id) => sends(documentOf(id, { redirect_uris: [{}] }))],
    ["of a client with a secret", (id) => sends(documentOf(id, { token_endpoint_auth_method: "client_secret_post" }))],
    [
      "of a client that needs a key",
      (id) =>
        sends(
          documentOf(id, {
            token_endpoint_auth_method: "private_key_jwt",
            token_endpoint_auth_methods_supported: ["private_key_jwt"],
          }),
        ),
    ],
    ["that is not found", (id) => sends(documentOf(id), 404)],
    ["that is a redirect", (id) => sends(documentOf(id), 302, { location: `${origin}/other` })],
    ["that is no JSON", () => sends("<html>")],
    ["that is a list", () => sends([])],
    ["that is null", () => sends("null")],
    ["that is larger than 64 kB", (id) => sends(documentOf(id, { padding: "x".repeat(70_000) }))],
    ["whose connection ends", () => (_, response) => void response.destroy()],
    ["that does not come", () => () => {}],
  ])("%s", async (_, respond) => {
    const id = newId();
    answer = respond(id);
    const page = await visit(open, id);
    expect([page.status, page.location]).toEqual([400, undefined]);
    expect(page.html).toContain("cannot be identified");
  });

  it("whose addresses are not those of the request", async () => {
    const id = newId();
    answer = sends(documentOf(id, { redirect_uris: ["https://evil.example/callback"] }));
    const page = await visit(open, id);
    expect([page.status, page.location]).toEqual([400, undefined]);
  });
});

it.each([
  "https://127.0.0.1/client.json",
  "https://127.1/client.json",
  "https://10.0.0.1/client.json",
  "https://192.168.1.1/client.json",
  "https://169.254.169.254/latest/meta-data",
  "https://[::1]/client.json",
  "https://[::ffff:127.0.0.1]/client.json",
  "https://localhost/client.json",
  "http://client.example/client.json",
  "https://client.example/",
  "https://client.example",
  "https://client.example/a/../client.json",
  "https://client.example/client.json#fragment",
  "https://a:b@client.example/client.json",
  "HTTPS://client.example/client.json",
  `https://client.example/${"a".repeat(2_000)}`,
])("no document is read from %s", async (id) => {
  const page = await visit(strict, id);
  expect([page.status, page.location]).toEqual([400, undefined]);
  expect(page.html).toContain("cannot be identified");
});

it("no document is read from this machine, unless private addresses are allowed", async () => {
  const before = requests;
  answer = sends(documentOf(newId()));
  expect((await visit(strict, `${origin}/clients/${documents}.json`)).status).toBe(400);
  expect(requests).toBe(before);
});
