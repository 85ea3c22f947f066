import { describe, expect, test } from "vitest";
import {
  type FrontConversation,
  type FrontMessage,
  isSent,
  isTicket,
  messageToComment,
  toComment,
  toCustomer,
  toTicket,
} from "./records.ts";

const contactLink = { related: { contact: "https://acme.api.frontapp.com/contacts/crd_2njtoem" } };
const teammate = { id: "tea_6r55a", first_name: "Michael", last_name: "Scott" };
const conversation: FrontConversation = {
  id: "cnv_yo1kg5q",
  type: "conversation",
  subject: "How to prank Dwight",
  status: "assigned",
  assignee: teammate,
  recipient: { name: "Zoë", handle: "zoe@example.com", role: "from", _links: contactLink },
  tags: [{ name: "time-wasters" }],
  created_at: 1_701_292_649.333,
  updated_at: 1_701_292_650,
};

describe("tickets", () => {
  test("a conversation becomes a ticket with the contact as requester", () => {
    expect(toTicket(conversation)).toEqual({
      id: "cnv_yo1kg5q",
      subject: "How to prank Dwight",
      description: null,
      status: "assigned",
      status_category: "open",
      priority: null,
      requester: { id: "crd_2njtoem", name: "Zoë", email: "zoe@example.com" },
      assignee: { id: "tea_6r55a", name: "Michael Scott" },
      tags: ["time-wasters"],
      url: "https://app.frontapp.com/open/cnv_yo1kg5q",
      created_at: "2023-11-29T21:17:29.333Z",
      updated_at: "2023-11-29T21:17:30.000Z",
    });
  });

  test("a task has its description, which is plain text", () => {
    expect(toTicket({ ...conversation, type: "task", description: "Call *them*\r\nback" }).description).toBe(
      "Call \\*them\\*  \nback",
    );
  });

  test.each([
    ["+492215550", null],
    ["@printer_fan", null],
    ["zoe@example.com", "zoe@example.com"],
  ])("the email address of somebody with the handle %s is %s", (handle, email) => {
    expect(toTicket({ ...conversation, recipient: { handle } }).requester).toEqual({ id: null, name: null, email });
  });

  test.each([
    ["assigned", undefined, "open"],
    ["unassigned", undefined, "open"],
    ["archived", undefined, "closed"],
    ["deleted", undefined, "closed"],
    ["future", undefined, "open"],
    ["assigned", "open", "open"],
    ["assigned", "waiting", "pending"],
    ["archived", "resolved", "solved"],
  ])("the status %s with the category %s means %s", (status, status_category, expected) => {
    expect(toTicket({ ...conversation, status, status_category })).toMatchObject({ status, status_category: expected });
  });

  test("what a conversation does not have is null or empty", () => {
    expect(toTicket({ id: "cnv_1", status: "archived", subject: " " })).toMatchObject({
      subject: null,
      requester: null,
      assignee: null,
      tags: [],
    });
  });

  test("discussions and what is in the trash are no tickets", () => {
    expect(isTicket(conversation)).toBe(true);
    expect(isTicket({ ...conversation, type: "task" })).toBe(true);
    expect(isTicket({ ...conversation, type: "discussion" })).toBe(false);
    expect(isTicket({ ...conversation, status: "deleted" })).toBe(false);
  });
});

describe("comments", () => {
  const received: FrontMessage = {
    id: "msg_1",
    body: "<div>My printer is <b>on fire</b>.<br>Hurry</div>",
    text: "ignored",
    author: null,
    recipients: [
      { handle: "support@example.com", role: "to" },
      { name: "Zoë", handle: "zoe@example.com", role: "from", _links: contactLink },
    ],
    created_at: 1_701_292_649,
  };

  test("a received message was written by the contact that it is from", () => {
    expect(messageToComment(received)).toEqual({
      id: "msg_1",
      text: "My printer is **on fire**.  \nHurry",
      is_public: true,
      author: { id: "crd_2njtoem", name: "Zoë" },
      created_at: "2023-11-29T21:17:29.000Z",
    });
    expect(messageToComment({ ...received, recipients: [{ handle: "+49", role: "from" }] }).author).toBeNull();
  });

  test("a sent message was written by a teammate", () => {
    expect(messageToComment({ ...received, author: teammate }).author).toEqual({
      id: "tea_6r55a",
      name: "Michael Scott",
    });
  });

  test("a message without HTML is made from its plain text", () => {
    for (const body of ["", "<div><br></div>", '<div style="display:none"></div>'])
      expect(messageToComment({ ...received, body, text: "a *b*" }).text).toBe("a \\*b\\*");
    expect(messageToComment({ ...received, body: null, text: null }).text).toBeNull();
  });

  test("a draft is no comment", () => {
    expect([null, undefined, "shared", "private"].map((draft_mode) => isSent({ ...received, draft_mode }))).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  test("a comment among teammates is Markdown already, and not public", () => {
    expect(toComment({ id: "com_1", body: "a **b**\r\nc", author: teammate, posted_at: 1_701_292_649 })).toEqual({
      id: "com_1",
      text: "a **b**\nc",
      is_public: false,
      author: { id: "tea_6r55a", name: "Michael Scott" },
      created_at: "2023-11-29T21:17:29.000Z",
    });
  });
});

test("a customer has the first handle that is an email address", () => {
  const handles = [
    { handle: "+49221", source: "phone" },
    { handle: "zoe@example.com", source: "email" },
  ];
  expect(toCustomer({ id: "crd_1", name: "Zoë", handles })).toEqual({
    id: "crd_1",
    name: "Zoë",
    email: "zoe@example.com",
  });
  expect(toCustomer({ id: "crd_1", name: null, handles: [] })).toEqual({ id: "crd_1", name: null, email: null });
});
