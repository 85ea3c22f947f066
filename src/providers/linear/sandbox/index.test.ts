import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Fastify from "fastify";
import { buildSchema, findBreakingChanges, parse, validate } from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSandbox } from "../../../sandbox/index.ts";
import { GET_VIEWER } from "../identity.ts";
import linear from "../manifest.ts";
import * as queries from "../queries.ts";
import ticketing from "../ticketing.ts";
import emulator from "./index.ts";
import { schema } from "./schema.ts";

const { LIST_ISSUES } = queries;

const sandbox = createSandbox({
  providers: [{ manifest: linear, categories: [ticketing] }],
  emulators: { linear: emulator },
  secret: randomBytes(32),
});
const server = Fastify();
const token = sandbox.credentials("linear", "oauth2").credentials.token!;
const key = sandbox.credentials("linear", "api_key").credentials.token!;
let address: string;

beforeAll(async () => {
  await server.register(sandbox.plugin);
  address = await server.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => server.close());

async function ask(query: unknown, variables: object = {}, authorization = `Bearer ${token}`) {
  const response = await fetch(`${address}/linear/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as any;
  return { status: response.status, headers: response.headers, body, error: body.errors?.[0] };
}

async function walk(variables: object = {}): Promise<any[]> {
  const nodes: any[] = [];
  let after: string | null = null;
  do {
    const { body }: any = await ask(LIST_ISSUES, { first: 100, ...variables, after });
    nodes.push(...body.data.issues.nodes);
    after = body.data.issues.pageInfo.hasNextPage ? body.data.issues.pageInfo.endCursor : null;
  } while (after);
  return nodes;
}

describe("the emulated API", () => {
  test("the emulator lists every issue once over all pages, newest first, and archived ones only on request", async () => {
    const listed = await walk();
    expect(listed.length).toBeGreaterThan(250);
    expect(new Set(listed.map(({ id }) => id)).size).toBe(listed.length);
    expect(listed.map(({ createdAt }) => createdAt)).toEqual(
      listed
        .map(({ createdAt }) => createdAt)
        .sort()
        .reverse(),
    );
    expect(listed.every(({ archivedAt }) => archivedAt === null)).toBe(true);
    const all = await walk({ includeArchived: true, first: 250 });
    expect(all.length).toBeGreaterThan(listed.length);
  });

  test("the emulator's data has issues without a description, with an empty one, in every type of state, and with equal times", async () => {
    const listed = await walk();
    expect(listed.some(({ description }) => description === null)).toBe(true);
    expect(listed.some(({ description }) => description === "")).toBe(true);
    expect(new Set(listed.map(({ state }) => state.type))).toEqual(
      new Set(["triage", "backlog", "unstarted", "started", "completed", "canceled", "duplicate"]),
    );
    expect(new Set(listed.map(({ createdAt }) => createdAt)).size).toBeLessThan(listed.length);
  });

  test("the emulator sorts and filters by the client's variables", async () => {
    const byUpdate = await walk({ orderBy: "updatedAt" });
    const times = byUpdate.map(({ updatedAt }) => updatedAt);
    expect(times).toEqual([...times].sort().reverse());
    const done = await walk({ filter: { state: { type: { eq: "completed" } }, title: { containsIgnoreCase: "GRÜ" } } });
    expect(done.length).toBeGreaterThan(0);
    expect(done.every(({ title, state }) => state.type === "completed" && title.startsWith("Grü"))).toBe(true);
    const none = await walk({ filter: { description: { null: true }, or: [{ team: { key: { in: ["OPS"] } } }] } });
    expect(none.every(({ description, identifier }) => description === null && identifier.startsWith("OPS-"))).toBe(
      true,
    );
    const early = await walk({ filter: { createdAt: { lt: "2024-01-02T00:00:00+01:00" } } });
    expect(early.length).toBeGreaterThan(0);
    expect(early.every(({ createdAt }) => createdAt < "2024-01-01T23:00:00.000Z")).toBe(true);
  });

  test("the emulator runs any query of its schema: aliases, fragments, one issue by its identifier", async () => {
    const { body } = await ask(
      "query($id: String!) { me: viewer { ...name organization { urlKey } } issue(id: $id) { team { key } } } fragment name on User { displayName }",
      { id: "ENG-2" },
    );
    expect(body).toEqual({
      data: { me: { displayName: "sandra", organization: { urlKey: "sandbox" } }, issue: { team: { key: "ENG" } } },
    });
  });

  test("every answer of the emulator has rate limit headers", async () => {
    const { headers } = await ask("{ viewer { id } }");
    expect(Number(headers.get("x-ratelimit-requests-reset"))).toBeGreaterThan(Date.now());
    expect(headers.get("x-ratelimit-complexity-remaining")).toMatch(/^\d+$/);
  });

  test.each([
    ["an unknown field", "GRAPHQL_VALIDATION_FAILED", "{ viewer { nothing } }", {}],
    ["a broken query", "GRAPHQL_PARSE_FAILED", "{ viewer {", {}],
    ["a variable of the wrong type", "BAD_USER_INPUT", LIST_ISSUES, { first: "many" }],
    ["no query", "BAD_REQUEST", undefined, {}],
  ])("the emulator refuses %s with 400 and %s", async (_, code, query, variables) => {
    const { status, error } = await ask(query, variables);
    expect(status).toBe(400);
    expect(error.extensions).toMatchObject({ code, type: "graphql error", userError: true });
  });

  test.each([
    [{ first: 251 }, { property: "first", constraints: { max: "first must not be greater than 250" } }],
    [{ first: 0 }, { property: "first", constraints: { min: "first must not be less than 1" } }],
    [{ first: 5, after: "nowhere" }, { property: "after" }],
    [{ first: 5, filter: { createdAt: { gt: "soon" } } }, { property: "filter" }],
  ])("the emulator reports invalid variables %j in a 200", async (variables, problem) => {
    const { status, body, error } = await ask(LIST_ISSUES, variables);
    expect(status).toBe(200);
    expect(body.data).toBeNull();
    expect(error.extensions).toMatchObject({ type: "invalid input", validationErrors: [problem] });
  });

  test("the emulator accepts a key only without Bearer, and a token only with it", async () => {
    const viewer = "{ viewer { id } }";
    expect((await ask(viewer, {}, key)).status).toBe(200);
    const wrongKey = await ask(viewer, {}, `Bearer ${key}`);
    expect([wrongKey.status, wrongKey.error.message]).toEqual([400, expect.stringContaining("Remove the Bearer")]);
    expect((await ask(viewer, {}, token)).status).toBe(401);
    const unknown = await ask(viewer, {}, "Bearer unknown");
    expect([unknown.status, unknown.error.extensions.code]).toEqual([401, "AUTHENTICATION_ERROR"]);
  });
});

const folder = process.env.CONTRACT_SPECS;
const reason = "CONTRACT_SPECS does not name the folder with Linear's schema";

describe.skipIf(!folder && process.env.CI !== "true")(`against Linear's own schema (skipped if ${reason})`, () => {
  const official = () => {
    if (!folder) throw new Error(reason);
    return buildSchema(readFileSync(join(folder, "linear.graphql"), "utf8"), { assumeValid: true });
  };

  test("the provider's queries are valid in Linear's own schema", () => {
    const check = linear.check.body!.query as string;
    for (const query of [...Object.values(queries), GET_VIEWER, check])
      expect(validate(official(), parse(query))).toEqual([]);
  });

  test("the emulated schema is a part of Linear's own: whatever is valid here is valid there", () => {
    expect(findBreakingChanges(schema, official())).toEqual([]);
  });
});
