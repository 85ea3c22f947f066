import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import type { Manifest } from "../../contracts/manifest.ts";
import { providers } from "../registry.gen.ts";
import helpScoutHelpdesk, { searchFor } from "./helpdesk.ts";
import helpScoutManifest from "./manifest.ts";

const manifest: Manifest = helpScoutManifest;
const operation = (id: string) => operations.find((known) => known.id === id)!;

test.each(["listTickets", "listComments", "listCustomers"])(
  "%s ends with a page that has no records at all",
  (name) => {
    const { items, next } = helpScoutHelpdesk.operations[name] as AnyList;
    const context = {} as AnyPageContext;
    const body = { page: { size: 25, totalElements: 0, totalPages: 0, number: 1 }, _links: {} };
    expect(items(body, context)).toEqual([]);
    expect(next({ status: 200, headers: {}, body }, context)).toBeNull();
  },
);

test.each([
  ["Größe 100% (a*)", "Größe 100% (a*)"],
  ['x") OR (status:"open\\', "x ) OR (status: open"],
  ["“日本語”", "日本語"],
])("the text of a search for %s cannot end its quotes", (text, words) => {
  expect(searchFor(text)).toBe(`(subject:"${words}" OR body:"${words}")`);
});

test("the wait after too many requests is in a header of Help Scout's own", () => {
  const answer = (headers: Record<string, string>) => ({ status: 429, headers, body: {} });
  expect(manifest.retryAfter!(answer({ "x-ratelimit-retry-after": "10" }))).toBe(10);
  expect(manifest.retryAfter!(answer({}))).toBeUndefined();
});

describe("over the Unified API", () => {
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest: { id } }) => id === "help-scout")!);
  });
  afterAll(() => service?.close());

  const call = async (id: string, params = {}, query = {}, body?: object) =>
    client.call(operation(id), params, query, {}, body);
  const firstTicket = async () => (await call("helpdesk.listTickets", {}, { limit: 1 })).body.response.data[0];
  const commentsOf = (ticket_id: string) => client.walk(operation("helpdesk.listComments"), { ticket_id }, [100]);

  test("tickets of every status are listed, and deleted ones are not", async () => {
    const tickets = await client.walk(operation("helpdesk.listTickets"), {}, [100]);
    expect(new Set(tickets.map(({ status }) => status))).toEqual(new Set(["active", "pending", "closed", "spam"]));
    expect(tickets.map(({ id }) => id)).not.toContain(String(91 + 36 * 7));
    expect(tickets.some(({ assignee }) => assignee === null)).toBe(true);
    expect(tickets.some(({ requester }) => requester.email === null)).toBe(true);
  });

  test("updated_since is passed on, and a change that is neither a user's nor a thread does not count", async () => {
    const tickets = await client.walk(operation("helpdesk.listTickets"), {}, [100]);
    const updated_since = tickets[200].updated_at;
    let found: any[] = [];
    const exchanges = await client.exchanges(async () => {
      found = await client.walk(operation("helpdesk.listTickets"), {}, [100], { updated_since });
    });
    expect(found).toEqual(tickets.filter(({ updated_at }) => updated_at >= updated_since));
    expect(exchanges.length).toBeLessThan(6);
    for (const { request } of exchanges)
      expect(request.query.get("modifiedSince")).toBe(updated_since.replace(".000Z", "Z"));
  });

  test("a customer that is changed while customers are walked hides no other one", async () => {
    const list = operation("helpdesk.listCustomers");
    const before = (await client.walk(list, {}, [100])).map(({ id }) => id);
    const first = (await call(list.id, {}, { limit: 50 })).body.response;
    await fetch(`${service.url}/sandbox/_changes`, {
      method: "POST",
      body: JSON.stringify({ provider: "help-scout", list: list.id, update: 1 }),
    });
    const rest = await client.walk(list, {}, [50], { after: first.metadata.next });
    expect([...first.data, ...rest].map(({ id }) => id)).toEqual(before);
  });

  test("comments are Markdown, and notes that only agents see are marked", async () => {
    const comments = await commentsOf((await firstTicket()).id);
    const texts = comments.map(({ text }) => text);
    expect(texts).toContain("My printer is **on fire**.  \nPlease help & hurry.");
    expect(texts).toContain("See [the guide](https://example.com/guide?a=1&b=2):\n\n1. Open it\n2. Read it");
    expect(texts).toContain("> Who wrote this?\n\nI did, in _Köln_.\n\n```\nping 127.0.0.1\n```");
    expect(texts).toContain(null);
    expect(texts.join("")).not.toMatch(/<\/?(?:div|p|br)\b|\r/);
    expect(new Set(comments.map(({ is_public }) => is_public))).toEqual(new Set([true, false]));
    // 98 threads, without line items, drafts and hidden ones.
    expect(comments.length).toBeLessThan(90);
  });

  test("a conversation that was merged into another one is found there", async () => {
    const { id, subject } = await firstTicket();
    const { status, body } = await call("helpdesk.getTicket", { ticket_id: "90" });
    expect([status, body.response.data]).toMatchObject([200, { id, subject }]);
  });
});
