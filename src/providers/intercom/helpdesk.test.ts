import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { type AnyList, type AnyPageContext, keptItems } from "../../../test/support/implementation.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";
import intercomHelpdesk from "./helpdesk.ts";
import manifest from "./manifest.ts";
import { type IntercomTicket, type TicketPart, toComment, toCustomer, toTicket } from "./records.ts";

const settings = { workspace: "ecahpwf5", region: "us" };
const part: TicketPart = {
  id: "188",
  part_type: "comment",
  body: '<p class="no-margin">Please <b>hurry</b>:<br>see <a href="https://a.example/?b=1&amp;c=2">it</a></p>\r\n',
  author: { id: "6762f306", name: "Zoë", email: "zoe@example.com" },
  created_at: 1_734_537_991,
};
const ticket: IntercomTicket = {
  id: "633",
  ticket_attributes: { _default_title_: "Grüße 👋", _default_description_: "The *fire* is\r\nvery colourful." },
  ticket_state: { category: "in_progress", internal_label: "With Dev Team" },
  open: true,
  contacts: { contacts: [{ id: "6762f306" }] },
  admin_assignee_id: "991268079",
  created_at: 1_734_537_990,
  updated_at: 1_734_537_992,
  ticket_parts: { ticket_parts: [part, { ...part, author: { id: 991_268_079, name: "Agent" } }] },
};
const mapped = (change: Partial<IntercomTicket> = {}) => toTicket({ ...ticket, ...change }, { settings });

describe("tickets", () => {
  test("a ticket has its people from the authors of its parts and links to the inbox", () => {
    expect(mapped()).toEqual({
      id: "633",
      subject: "Grüße 👋",
      description: "The \\*fire\\* is  \nvery colourful.",
      status: "With Dev Team",
      status_category: "open",
      priority: null,
      requester: { id: "6762f306", name: "Zoë", email: "zoe@example.com" },
      assignee: { id: "991268079", name: "Agent" },
      tags: [],
      url: "https://app.intercom.com/a/inbox/ecahpwf5/inbox/conversation/633",
      created_at: "2024-12-18T16:06:30.000Z",
      updated_at: "2024-12-18T16:06:32.000Z",
    });
  });

  test("names are decoded, since they are sent with entities", () => {
    const escaped = { id: "6762f306", name: "Zo&euml; &amp; Sons", email: null };
    expect(
      mapped({
        ticket_attributes: { _default_title_: "Phone &amp; SMS" },
        ticket_state: { internal_label: "R&amp;D &lt;2&gt;" },
        ticket_parts: { ticket_parts: [{ ...part, author: escaped }] },
      }),
    ).toMatchObject({ subject: "Phone & SMS", status: "R&D <2>", requester: { name: "Zoë & Sons" } });
    expect(toComment({ ...part, author: escaped }).author).toEqual({ id: "6762f306", name: "Zoë & Sons" });
    expect(toCustomer({ ...escaped, id: "1" }).name).toBe("Zoë & Sons");
  });

  test("people who have not written in a ticket are known by their IDs", () => {
    for (const ticket_parts of [null, {}, { ticket_parts: [] }])
      expect(mapped({ ticket_parts })).toMatchObject({
        requester: { id: "6762f306", name: null, email: null },
        assignee: { id: "991268079", name: null },
      });
  });

  test("what a ticket does not have is null", () => {
    for (const admin_assignee_id of ["0", 0, null])
      expect(
        mapped({ ticket_attributes: {}, contacts: { contacts: [] }, admin_assignee_id, ticket_state: null }),
      ).toMatchObject({ subject: null, description: null, requester: null, assignee: null, status: "open" });
    expect(mapped({ ticket_attributes: { _default_title_: " ", _default_description_: "" } })).toMatchObject({
      subject: null,
      description: null,
    });
  });

  test.each([
    ["<p>It *still* <b>burns</b>.</p><p>Really</p>", "It \\*still\\* **burns**.\n\nReally"],
    ["<p> is an element that I typed", "\\<p> is an element that I typed"],
  ])("a description is read as HTML only if it is a document: %s", (description, expected) => {
    expect(mapped({ ticket_attributes: { _default_description_: description } }).description).toBe(expected);
  });

  test.each([
    ["submitted", true, "open"],
    ["in_progress", true, "open"],
    ["waiting_on_customer", true, "pending"],
    ["resolved", true, "solved"],
    ["resolved", false, "solved"],
    ["submitted", false, "closed"],
    ["future", true, "open"],
  ])("the state %s means, with open=%s, %s", (category, open, expected) => {
    const ticket_state = { category, internal_label: "Own label" };
    expect(mapped({ ticket_state, open })).toMatchObject({ status: "Own label", status_category: expected });
  });

  test.each([
    ["eu", "app.eu.intercom.com"],
    ["au", "app.au.intercom.com"],
    ["us", "app.intercom.com"],
  ])("the page of a ticket in the region %s is at %s", (region, host) => {
    expect(new URL(toTicket(ticket, { settings: { ...settings, region } }).url).host).toBe(host);
  });

  test("a search for updates begins a day earlier, because times may be compared by their days", () => {
    const { request } = intercomHelpdesk.operations.listTickets as AnyList;
    const input = { updated_since: "2024-03-05T10:00:00.000Z" };
    expect(request({ input, limit: 20 } as AnyPageContext)).toMatchObject({
      body: { query: { field: "updated_at", operator: ">", value: Date.UTC(2024, 2, 4, 10) / 1000 } },
      locked: { pagination: { per_page: 20 } },
    });
  });
});

test("a search has the conditions in groups, whatever its text is, and a client's own does not replace it", () => {
  const { request } = intercomHelpdesk.operations.listTickets as AnyList;
  const base = { field: "created_at", operator: ">", value: 0 };
  const assigned = { field: "admin_assignee_id", operator: "=", value: "7" };
  const locked = (input: object) => request({ input, limit: 20 } as AnyPageContext).locked.query;
  expect(locked({})).toBeUndefined();
  expect(locked({ assignee_id: "7" })).toEqual({ operator: "AND", value: [base, assigned] });
  const query = '"a" OR (b*) \\ 100%';
  expect(locked({ assignee_id: "7", query })).toEqual({
    operator: "AND",
    value: [
      { operator: "AND", value: [base, assigned] },
      {
        operator: "OR",
        value: [
          { field: "title", operator: "~", value: query },
          { field: "description", operator: "~", value: query },
        ],
      },
    ],
  });
});

describe("comments", () => {
  test("a comment is made from its HTML, with its author", () => {
    expect(toComment(part)).toEqual({
      id: "188",
      text: "Please **hurry**:  \nsee [it](https://a.example/?b=1&c=2)",
      is_public: true,
      author: { id: "6762f306", name: "Zoë" },
      created_at: "2024-12-18T16:06:31.000Z",
    });
  });

  test("a note is not public, and an empty one has null", () => {
    expect(toComment({ ...part, part_type: "note", body: null, author: null })).toMatchObject({
      text: null,
      is_public: false,
      author: null,
    });
  });

  test("changes of a ticket that nobody wrote are not comments", () => {
    const list = intercomHelpdesk.operations.listComments as AnyList;
    const types = ["comment", "note", "quick_reply", "assignment", "ticket_state_updated_by_admin"];
    const idsOf = (body: string | null) => {
      const ticket_parts = types.map((part_type, id) => ({ ...part, id, part_type, body }));
      return keptItems(list, { ...ticket, ticket_parts: { ticket_parts } }, {} as AnyPageContext).map(({ id }) => id);
    };
    expect(idsOf(null)).toEqual([0, 1, 2]);
  });

  test("a reply that also assigns or closes the ticket is a public comment", () => {
    const list = intercomHelpdesk.operations.listComments as AnyList;
    const types = ["assignment", "close", "note_and_reopen"];
    const ticket_parts = types.map((part_type) => ({ ...part, part_type, body: "<p>Checked.</p>" }));
    const found = keptItems(list, { ...ticket, ticket_parts: { ticket_parts } }, {} as AnyPageContext);
    expect(found.map((item) => list.record(item, {} as AnyPageContext))).toMatchObject([
      { text: "Checked.", is_public: true },
      { text: "Checked.", is_public: true },
      { text: "Checked.", is_public: false },
    ]);
  });
});

test("a lead without a name and an email address has null", () => {
  expect(toCustomer({ id: "5ba6", name: null, email: "" })).toEqual({ id: "5ba6", name: null, email: null });
});

test("the workspace and its region are found out when an account is connected", async () => {
  const discovered = (app: object | null) =>
    manifest.discover((async () => ({ status: 200, headers: {}, body: { app } })) as never);
  expect(await discovered({ id_code: "ecahpwf5", region: "EU" })).toEqual({ workspace: "ecahpwf5", region: "eu" });
  expect(await discovered(null)).toEqual({});
});

describe("over the Unified API", () => {
  const operation = (id: string) => operations.find((known) => known.id === id)!;
  let service: TestService;
  let client: Client;
  beforeAll(async () => {
    service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
    client = createClient(service, providers.find(({ manifest: { id } }) => id === "intercom")!);
  });
  afterAll(() => service?.close());

  test("a client's own query restricts the list, and its page size does not break the walk", async () => {
    const query = { field: "open", operator: "=", value: false };
    const params = JSON.stringify({ query, pagination: { per_page: 1 } });
    const closed = await client.walk(operation("helpdesk.listTickets"), {}, [100], { params });
    expect(closed.length).toBeGreaterThan(50);
    expect(new Set(closed.map(({ status_category }) => status_category))).toEqual(new Set(["solved", "closed"]));
  });

  test("a requester's tickets are found by the address, also those that the requester has not written in", async () => {
    const walk = (query: Record<string, string>, limits = [100]) =>
      client.walk(operation("helpdesk.listTickets"), {}, limits, query);
    const all = await walk({});
    const silent = new Set(
      all.filter(({ requester }) => requester?.email === null).map(({ requester }) => requester.id),
    );
    const { id, email } = all.find(({ requester }) => requester?.email && silent.has(requester.id)).requester;
    const own = all.filter(({ requester }) => requester?.id === id);
    const found = await walk({ requester: email.toUpperCase() }, [1, 7]);
    expect(found.map((ticket) => ticket.id)).toEqual(own.map((ticket) => ticket.id));
    expect(new Set(found.map(({ requester }) => requester.email))).toEqual(new Set([email]));
    const { assignee, updated_at } = own.find((ticket) => ticket.assignee);
    const some = await walk({ requester: email, assignee_id: assignee.id, updated_since: updated_at });
    const expected = own.filter((ticket) => ticket.assignee?.id === assignee.id && ticket.updated_at >= updated_at);
    expect(some.map((ticket) => ticket.id)).toEqual(expected.map((ticket) => ticket.id));
    expect(await walk({ requester: "nobody@example.com" })).toEqual([]);
  });

  test("all comments of a ticket cost one call, and are Markdown without changes of its state", async () => {
    const [first] = (await client.call(operation("helpdesk.listTickets"), {}, { limit: 1 })).body.response.data;
    let comments: any[] = [];
    const exchanges = await client.exchanges(async () => {
      const pathParams = { ticket_id: first.id };
      comments = (await client.call(operation("helpdesk.listComments"), pathParams, { limit: 100 })).body.response.data;
    });
    expect(exchanges).toHaveLength(1);
    const texts = comments.map(({ text }) => text);
    expect(texts).toContain("My printer is **on fire**.  \nPlease help & hurry.");
    expect(texts).toContain("See [the guide](https://example.com/guide?a=1&b=2):\n\n1. Open it\n2. Read it");
    expect(texts).toContain(null);
    expect(texts.join("")).not.toMatch(/<\/?(?:div|p|br)\b|\r/);
    expect(new Set(comments.map(({ is_public }) => is_public))).toEqual(new Set([true, false]));
    expect(comments.map(({ author }) => author?.name)).toContain("Fin");
  });
});
