// A provider whose API is described in several files.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import type { Description } from "../../../src/contracts/evidence.ts";
import type { Provider } from "../../../src/contracts/provider.ts";
import { get } from "../../../src/provider-kit/request.ts";
import type { Exchange } from "../../../src/sandbox/index.ts";
import { checkExchanges } from "./index.ts";

const folder = mkdtempSync(join(tmpdir(), "descriptions-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Writes a description in which a GET of each path answers with a text. */
function describePaths(file: string, ...paths: string[]): Description {
  const content = { "application/json": { schema: { type: "object", properties: { text: { type: "string" } } } } };
  const operation = { get: { responses: { 200: { content } } } };
  const document = { openapi: "3.0.0", paths: Object.fromEntries(paths.map((path) => [path, operation])) };
  writeFileSync(join(folder, file), JSON.stringify(document));
  return { file, format: "openapi" };
}

const provider: Provider = {
  manifest: {
    id: "acme",
    name: "Acme",
    docs: "https://acme.example",
    addresses: { api: "https://acme.example/v1" },
    auth: { api_key: { label: "Key", help: "https://acme.example" } },
    check: get("/"),
  },
  categories: [],
};

const exchange = (path: string, body: object) =>
  ({
    provider: "acme",
    request: { method: "GET", path: `/v1${path}`, query: new URLSearchParams() },
    reply: { status: 200, headers: {}, body },
  }) as unknown as Exchange;

const descriptions = [
  describePaths("users.json", "/users"),
  describePaths("records.json", "/{module}", "/records/{id}"),
];
const check = (...exchanges: Exchange[]) => checkExchanges(provider, descriptions, exchanges, folder);

it("a path that only the second description has is checked against it", () => {
  expect(check(exchange("/records/1", { text: "a" }))).toEqual({ violations: [], stale: [], checked: 1 });
  expect(check(exchange("/records/1", { text: 5 })).violations).toEqual([
    "GET /records/{id} reply 200/text must be string",
  ]);
});

it("a path that both descriptions have is checked against the first", () => {
  expect(check(exchange("/users", { text: 5 })).violations).toEqual(["GET /users reply 200/text must be string"]);
});

it("a path that no description has is a violation", () => {
  expect(check(exchange("/a/b/c", {})).violations).toEqual(["GET /a/b/c is not described"]);
});
