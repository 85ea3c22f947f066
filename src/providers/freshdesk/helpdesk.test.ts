import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import type { AnyList, AnyPageContext } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";
import freshdeskHelpdesk from "./helpdesk.ts";
import manifest from "./manifest.ts";
import { type FreshdeskTicket, toComment, toCustomer, toTicket } from "./records.ts";

const settings = { subdomain: "acme" };
const ticket: FreshdeskTicket = {
  id: 20,
  subject: "Grüße 👋",
  description: "<div>The *fire* is<br>very <b>colourful</b>.</div>\r\n",
  description_text: "The *fire* is very colourful.",
  status: 2,
  priority: 4,
  requester_id: 1,
  requester: { id: 1, name: "Zoë", email: "zoe@example.com" },
  responder_id: 2,
  tags: ["fire"],
  created_at: "2026-04-28T13:33:15Z",
  updated_at: "2026-04-29T00:00:00Z",
};
const mapped = (change: Partial<FreshdeskTicket> = {}) => toTicket({ ...ticket, ...change }, { settings });

/** Freshdesk with these tickets. */
function answerOf(all: FreshdeskTicket[], { updated_since, page, per_page }: Record<string, any>) {
  if (page > 300) throw new Error("You cannot access tickets beyond the 300th page.");
  const found = all.filter(({ updated_at }) => updated_at! > updated_since);
  const link = `<https://acme.freshdesk.com/api/v2/tickets?page=${page + 1}>; rel="next"`;
  return {
    status: 200,
    headers: page * per_page < found.length ? { link } : {},
    body: found.slice((page - 1) * per_page, page * per_page),
  };
}

test.each([undefined, "2026-01-01T00:40:00.000Z"])(
  "more tickets than Freshdesk lists are listed once, updated since %s",
  (updated_since) => {
    const list = freshdeskHelpdesk.operations.listTickets as AnyList;
    const timeOf = (seconds: number) =>
      `${new Date(Date.UTC(2026, 0, 1) + seconds * 1000).toISOString().slice(0, 19)}Z`;
    const all = Array.from({ length: 5_000 }, (_, id) => {
      // Five at a time, every fourth of which is updated an hour later.
      const created = Math.floor(id / 5) * 10;
      return { ...ticket, id, created_at: timeOf(created), updated_at: timeOf(created + (id % 4 === 0 ? 3_600 : 0)) };
    });
    const wanted = all.filter(({ updated_at }) => updated_since === undefined || updated_at >= timeOf(2_400));
    const ids: number[] = [];
    let cursor: unknown;
    do {
      const context = { input: { updated_since }, limit: 12, cursor } as AnyPageContext;
      const { query, locked } = list.request(context);
      const answer = answerOf(all, { ...query, ...locked });
      ids.push(...list.items(answer.body, context).map(({ id }) => id));
      cursor = list.next(answer, context) ?? undefined;
    } while (cursor);
    expect(ids).toEqual(wanted.map(({ id }) => id));
  },
);

describe("tickets", () => {
  test("a ticket has its requester, the names of status and priority, and links to the page for agents", () => {
    expect(mapped()).toEqual({
      id: "20",
      subject: "Grüße 👋",
      description: "The \\*fire\\* is  \nvery **colourful**.",
      status: "Open",
      status_category: "open",
      priority: "Urgent",
      requester: { id: "1", name: "Zoë", email: "zoe@example.com" },
      assignee: { id: "2", name: null },
      tags: ["fire"],
      url: "https://acme.freshdesk.com/a/tickets/20",
      created_at: "2026-04-28T13:33:15.000Z",
      updated_at: "2026-04-29T00:00:00.000Z",
    });
  });

  test("what a ticket does not have is null or empty", () => {
    const nothing = { subject: " ", description: "", description_text: null, priority: null, tags: null };
    expect(mapped({ ...nothing, responder_id: null, requester: null })).toMatchObject({
      subject: null,
      description: null,
      priority: null,
      requester: { id: "1", name: null, email: null },
      assignee: null,
      tags: [],
    });
    expect(mapped({ requester: null, requester_id: null })).toMatchObject({ requester: null });
  });

  test.each([
    [2, "Open", "open"],
    [3, "Pending", "pending"],
    [4, "Resolved", "solved"],
    [5, "Closed", "closed"],
    [6, "6", "open"],
  ])("the status %i is called %s and means %s", (status, name, category) => {
    expect(mapped({ status })).toMatchObject({ status: name, status_category: category });
  });

  test("a list reaches further back than the last 30 days", () => {
    const { request } = freshdeskHelpdesk.operations.listTickets as AnyList;
    const sinceOf = (updated_since?: string) =>
      request({ input: { updated_since }, limit: 20 } as AnyPageContext).query.updated_since;
    expect(sinceOf()).toBe("2000-01-01T00:00:00Z");
    // A second earlier, so that it does not matter whether the time itself is included.
    expect(sinceOf("2024-03-05T10:00:00.000Z")).toBe("2024-03-05T09:59:59Z");
  });
});

describe("comments", () => {
  const conversation = { id: 7, body: "<div>Please&nbsp;<b>hurry</b></div>", user_id: 2 };

  test("a comment is made from its HTML, and a private note is not public", () => {
    expect(toComment({ ...conversation, created_at: "2026-04-28T13:33:15Z" })).toEqual({
      id: "7",
      text: "Please **hurry**",
      is_public: true,
      author: { id: "2", name: null },
      created_at: "2026-04-28T13:33:15.000Z",
    });
    expect(toComment({ ...conversation, private: true })).toMatchObject({ is_public: false });
  });

  test("a comment without HTML is made from its plain text, and an empty one has null", () => {
    expect(toComment({ ...conversation, body: null, body_text: "a *b*" })).toMatchObject({ text: "a \\*b\\*" });
    expect(toComment({ ...conversation, body: "", body_text: "" })).toMatchObject({ text: null });
  });
});

test("a caller without an email address has null", () => {
  expect(toCustomer({ id: 1, name: "Caller", email: null })).toEqual({ id: "1", name: "Caller", email: null });
});

test("the API key is sent as the user name", () => {
  const { headers } = manifest.authorization({ token: "made-up" });
  expect(Buffer.from(headers.authorization.replace("Basic ", ""), "base64").toString()).toBe("made-up:X");
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === id)!;
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest: { id } }) => id === "freshdesk")!);
  });
  afterAll(() => service?.close());

  test("requesters and descriptions cost no further calls, and deleted tickets and spam are left out", async () => {
    let data: any[] = [];
    const exchanges = await client.exchanges(async () => {
      data = (await client.call(operation("helpdesk.listTickets"), {}, { limit: 100 })).body.response.data;
    });
    expect(exchanges).toHaveLength(1);
    expect(data.some(({ requester }) => requester.name && requester.email)).toBe(true);
    expect(data.some(({ requester }) => requester.email === null)).toBe(true);
    expect(data.some(({ description }) => description?.startsWith("My printer is \\*on fire\\*."))).toBe(true);
    expect(data.some(({ description }) => description === null)).toBe(true);
    // Every 37th ticket is deleted, and every 41st is spam.
    const ids = data.map(({ id }) => id);
    expect(ids).toContain("143");
    expect(ids).not.toContain("147");
    expect(ids).not.toContain("163");
  });

  test("comments are Markdown, and private notes are marked", async () => {
    const [first] = (await client.call(operation("helpdesk.listTickets"), {}, { limit: 1 })).body.response.data;
    const comments = await client.walk(operation("helpdesk.listComments"), { ticket_id: first.id }, [100]);
    const texts = comments.map(({ text }) => text);
    expect(texts).toContain("My printer is **on fire**.  \nPlease help & hurry.");
    expect(texts).toContain("See [the guide](https://example.com/guide?a=1&b=2):\n\n1. Open it\n2. Read it");
    expect(texts).toContain("> Who wrote this?\n\nI did, in _Köln_.\n\n```\nping 127.0.0.1\n```");
    expect(texts).toContain(null);
    expect(texts.join("")).not.toMatch(/<\/?(?:div|p|br)\b|\r/);
    expect(new Set(comments.map(({ is_public }) => is_public))).toEqual(new Set([true, false]));
  });
});
