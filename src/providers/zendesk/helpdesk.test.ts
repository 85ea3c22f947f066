import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import type { OneImplementation } from "../../contracts/provider.ts";
import { providers } from "../registry.gen.ts";
import zendeskHelpdesk from "./helpdesk.ts";
import zendeskIdentity from "./identity.ts";
import { toCustomer, type ZendeskComment, type ZendeskTicket } from "./records.ts";

const context = { settings: { subdomain: "acme" } } as unknown as AnyPageContext;
const ticket: ZendeskTicket = {
  id: 35_436,
  subject: "Grüße 👋",
  status: "open",
  priority: "urgent",
  description: "The *fire* is\r\nvery colourful.",
  requester_id: 1,
  assignee_id: 2,
  tags: ["fire"],
  created_at: "2026-04-28T13:33:15Z",
  updated_at: "2026-04-29T00:00:00Z",
};
const users = [
  { id: 1, name: "Zoë", email: "zoe@example.com" },
  { id: 2, name: "Agent", email: "agent@example.com" },
];

const listOf = (name: string) => zendeskHelpdesk.operations[name] as AnyList;
const meta = { has_more: false, after_cursor: null };
const recordsOf = (name: string, body: object) => {
  const { items, record } = listOf(name);
  return items({ meta, ...body }, context).map((item) => record(item, context));
};
const toTicket = (change: Partial<ZendeskTicket> = {}, sideLoaded: object = { users }) =>
  recordsOf("listTickets", { tickets: [{ ...ticket, ...change }], ...sideLoaded })[0];

describe("tickets", () => {
  test("a ticket has its people from the side-loaded users and links to the page for agents", () => {
    expect(toTicket()).toEqual({
      id: "35436",
      subject: "Grüße 👋",
      description: "The *fire* is\nvery colourful.",
      status: "open",
      status_category: "open",
      priority: "urgent",
      requester: { id: "1", name: "Zoë", email: "zoe@example.com" },
      assignee: { id: "2", name: "Agent" },
      tags: ["fire"],
      url: "https://acme.zendesk.com/agent/tickets/35436",
      created_at: "2026-04-28T13:33:15.000Z",
      updated_at: "2026-04-29T00:00:00.000Z",
    });
  });

  test("a single ticket is mapped like one of a list", () => {
    const { record } = zendeskHelpdesk.operations.getTicket as OneImplementation<any, any, any>;
    expect(record({ ticket, users }, context)).toEqual(toTicket());
  });

  test("people who are not side-loaded are known by their IDs", () => {
    for (const sideLoaded of [{}, { users: [] }, { users: null }])
      expect(toTicket({}, sideLoaded)).toMatchObject({
        requester: { id: "1", name: null, email: null },
        assignee: { id: "2", name: null },
      });
  });

  test("what a ticket does not have is null or empty", () => {
    const nothing = {
      subject: null,
      description: "",
      priority: null,
      assignee_id: null,
      requester_id: null,
      tags: null,
    };
    expect(toTicket(nothing)).toMatchObject({
      subject: null,
      description: null,
      priority: null,
      requester: null,
      assignee: null,
      tags: [],
    });
    expect(toTicket({ subject: " " })).toMatchObject({ subject: null });
  });

  test.each([
    ["new", "open"],
    ["open", "open"],
    ["pending", "pending"],
    ["hold", "pending"],
    ["solved", "solved"],
    ["closed", "closed"],
    ["future", "open"],
  ])("the status %s means %s", (status, expected) => {
    expect(toTicket({ status })).toMatchObject({ status, status_category: expected });
  });
});

describe("comments", () => {
  const comment: ZendeskComment = {
    id: 7,
    body: "the **plain** one",
    html_body:
      '<div class="zd-comment" dir="auto"><p>Please&nbsp;<b>hurry</b>:<br>see <a href="https://a.example/?b=1&amp;c=2">it</a></p></div>',
    public: true,
    author_id: 2,
    created_at: "2026-04-28T13:33:15Z",
  };
  const toComment = (change: Partial<ZendeskComment> = {}) =>
    recordsOf("listComments", { comments: [{ ...comment, ...change }], users })[0];

  test("a comment is made from its HTML, with its author", () => {
    expect(toComment()).toEqual({
      id: "7",
      text: "Please **hurry**:  \nsee [it](https://a.example/?b=1&c=2)",
      is_public: true,
      author: { id: "2", name: "Agent" },
      created_at: "2026-04-28T13:33:15.000Z",
    });
  });

  test("a comment without text in its HTML is made from its body, which is Markdown, and an empty one has null", () => {
    for (const html_body of [null, "", '<div class="zd-comment"></div>'])
      expect(toComment({ html_body, public: false })).toMatchObject({ text: "the **plain** one", is_public: false });
    expect(toComment({ html_body: "", body: "" })).toMatchObject({ text: null });
  });

  test("a comment of Zendesk itself has no author", () => {
    expect(toComment({ author_id: -1 })).toMatchObject({ author: null });
  });
});

test("a customer without an email address has null", () => {
  expect(toCustomer({ id: 1, name: "Caller", email: null })).toEqual({ id: "1", name: "Caller", email: null });
});

test.each([{ id: null }, {}])("a token without a user has an account without an ID: %j", (id) => {
  const { record } = zendeskIdentity.operations.getMe as OneImplementation<any, any, any>;
  expect(record({ user: { ...id, name: "Anonymous user", email: "invalid@example.com" } }, context)).toEqual({
    id: null,
    name: "Anonymous user",
    email: "invalid@example.com",
    avatar_url: null,
  });
});

test.each(["listTickets", "listComments", "listCustomers"])(
  "the last page of %s has no next page, although it has a cursor",
  (name) => {
    const nextOf = (has_more: boolean) =>
      listOf(name).next({ status: 200, headers: {}, body: { meta: { has_more, after_cursor: "c" } } }, context);
    expect(nextOf(true)).toBe("c");
    expect(nextOf(false)).toBeNull();
  },
);

describe("searches", () => {
  const { request, next } = listOf("listTickets");
  const found = (page: Partial<AnyPageContext>, next_page: string | null = "https://acme.zendesk.com/more") =>
    next({ status: 200, headers: {}, body: { results: [], next_page } }, { ...context, ...page });

  test("the words of a client are in quotes, where they are no terms of the search", () => {
    const { path, locked } = request({ ...context, limit: 40, cursor: "2", input: { query: 'a" status:open -b * c' } });
    expect([path, locked]).toEqual([
      "/search",
      { query: 'type:ticket "a" "status:open" "-b" "c"', include: "tickets(users)", page: "2", per_page: 40 },
    ]);
  });

  test("a search ends with its last page, or where Zendesk ends it", () => {
    expect(found({ limit: 100 })).toBe("2");
    expect(found({ limit: 100 }, null)).toBeNull();
    expect(found({ limit: 100, cursor: "9" })).toBe("10");
    expect(found({ limit: 100, cursor: "10" })).toBeNull();
    expect(found({ limit: 30, cursor: "32" })).toBe("33");
    expect(found({ limit: 30, cursor: "33" })).toBeNull();
  });
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === id)!;
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest }) => manifest.id === "zendesk")!);
  });
  afterAll(() => service?.close());

  test("names and email addresses of the people in tickets cost no further calls", async () => {
    let data: any[] = [];
    const exchanges = await client.exchanges(async () => {
      data = (await client.call(operation("helpdesk.listTickets"), {}, { limit: 100 })).body.response.data;
    });
    expect(exchanges).toHaveLength(1);
    expect(data.some(({ requester }) => requester.name && requester.email)).toBe(true);
    expect(data.some(({ assignee }) => assignee?.name === "Zoë Müller")).toBe(true);
    // Deleted users.
    expect(data.some(({ requester }) => requester.id && requester.name === null)).toBe(true);
  });

  test("a search returns the people of its tickets, and costs one call per page", async () => {
    const query = "printer";
    let first: any;
    const exchanges = await client.exchanges(async () => {
      first = (await client.call(operation("helpdesk.listTickets"), {}, { query, limit: 100 })).body.response;
    });
    expect(exchanges).toHaveLength(1);
    expect(first.data).toHaveLength(100);
    expect(first.data.some(({ requester }: any) => requester.name && requester.email)).toBe(true);
    const all = await client.walk(operation("helpdesk.listTickets"), {}, [30], { query });
    expect(all.length).toBeGreaterThan(200);
    expect(all.slice(0, 100)).toEqual(first.data);
  });

  test("customers do not include agents, whatever roles a client asks for", async () => {
    const params = JSON.stringify({ role: "agent", "role[]": "agent" });
    const customers = await client.walk(operation("helpdesk.listCustomers"), {}, [100], { params });
    expect(customers.length).toBeGreaterThan(250);
    expect(customers.filter(({ email }) => ["zoe@example.com", "sandbox@example.com"].includes(email))).toEqual([]);
    expect(customers.some(({ email }) => email === null)).toBe(true);
  });

  test("comments are Markdown, and notes that only agents see are marked", async () => {
    const [first] = (await client.call(operation("helpdesk.listTickets"), {}, { limit: 1 })).body.response.data;
    const comments = await client.walk(operation("helpdesk.listComments"), { ticket_id: first.id }, [100]);
    const texts = comments.map(({ text }) => text);
    expect(texts).toContain("My printer is **on fire**.  \nPlease help & hurry.");
    expect(texts).toContain("See [the guide](https://example.com/guide?a=1&b=2):\n\n1. Open it\n2. Read it");
    expect(texts).toContain("> Who wrote this?\n\nI did, in _Köln_.\n\n```\nping 127.0.0.1\n```");
    expect(texts).toContain(null);
    expect(texts.join("")).not.toMatch(/<\/?(?:div|p|br)\b|\r/);
    expect(new Set(comments.map(({ is_public }) => is_public))).toEqual(new Set([true, false]));
    expect(comments.some(({ author }) => author === null)).toBe(true);
  });
});
