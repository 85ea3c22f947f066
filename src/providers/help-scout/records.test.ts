import { describe, expect, test } from "vitest";
import {
  type HelpScoutConversation,
  type HelpScoutThread,
  isComment,
  toComment,
  toCustomer,
  toTicket,
} from "./records.ts";

const thread: HelpScoutThread = {
  id: 7,
  type: "customer",
  state: "published",
  body: "My printer is <b>on fire</b>.<br>\r\nHurry&nbsp;up",
  createdBy: { id: 238_604, first: "Zoë", last: "Bear", email: "zoe@example.com" },
  createdAt: "2017-04-21T14:39:56Z",
};
// The fields of the conversation in the tests of Help Scout's own client.
const conversation: HelpScoutConversation = {
  id: 10,
  number: 15_473,
  subject: "Need Help",
  status: "closed",
  state: "published",
  assignee: { id: 256, first: "Mr", last: "Robot", email: "none@nowhere.com" },
  primaryCustomer: { id: 238_604, first: "Zoë", last: "Bear", email: "zoe@example.com" },
  tags: [{ tag: "vip" }],
  createdAt: "2017-04-21T14:39:56Z",
  userUpdatedAt: "2017-04-21T14:43:24Z",
  _embedded: { threads: [thread] },
};

describe("tickets", () => {
  test("a conversation becomes a ticket with its first message as description", () => {
    expect(toTicket(conversation)).toEqual({
      id: "10",
      subject: "Need Help",
      description: "My printer is **on fire**.  \nHurry up",
      status: "closed",
      status_category: "closed",
      priority: null,
      requester: { id: "238604", name: "Zoë Bear", email: "zoe@example.com" },
      assignee: { id: "256", name: "Mr Robot" },
      tags: ["vip"],
      url: "https://secure.helpscout.net/conversation/10/15473",
      created_at: "2017-04-21T14:39:56.000Z",
      updated_at: "2017-04-21T14:43:24.000Z",
    });
  });

  test.each([
    ["newest first", 1],
    ["oldest first", -1],
  ])("the description is the oldest message that the customer sees, with threads %s", (_, direction) => {
    const at = (minute: number) => `2017-04-21T14:0${minute}:00Z`;
    const threads = [
      { ...thread, id: 4, type: "message", body: "the answer", createdAt: at(4) },
      { ...thread, id: 3, body: "the question", createdAt: at(3) },
      { ...thread, id: 2, type: "note", body: "a note", createdAt: at(2) },
      { ...thread, id: 1, type: "message", state: "draft", body: "a draft", createdAt: at(1) },
      { ...thread, id: 0, type: "lineitem", body: null, createdAt: at(0) },
    ].sort((a, b) => (b.id - a.id) * direction);
    expect(toTicket({ ...conversation, _embedded: { threads } }).description).toBe("the question");
  });

  test("of two messages in the same second, the one with the lower ID is the first", () => {
    const threads = [
      { ...thread, id: 10, body: "second" },
      { ...thread, id: 9, body: "first" },
    ];
    for (const inOrder of [threads, threads.toReversed()])
      expect(toTicket({ ...conversation, _embedded: { threads: inOrder } }).description).toBe("first");
  });

  test.each([
    ["a customer's reply", {}, "2017-04-21T15:00:00.000Z"],
    ["a line item", { type: "lineitem", body: null }, "2017-04-21T15:00:00.000Z"],
    ["a draft", { type: "message", state: "draft" }, "2017-04-21T14:43:24.000Z"],
  ])("a ticket is updated by its users and its published threads: %s", (_, later, updated_at) => {
    const threads = [{ ...thread, id: 8, ...later, createdAt: "2017-04-21T15:00:00Z" }, thread];
    expect(toTicket({ ...conversation, _embedded: { threads } }).updated_at).toBe(updated_at);
  });

  test("what a conversation does not have is null or empty", () => {
    const bare = { id: 10, number: 1, status: "active", createdAt: "2017-04-21T14:39:56Z" };
    expect(toTicket(bare)).toMatchObject({
      subject: null,
      description: null,
      requester: null,
      assignee: null,
      tags: [],
      updated_at: "2017-04-21T14:39:56.000Z",
    });
  });

  test("the link for agents is the conversation's own", () => {
    const href = "https://secure.helpscout.net/conversation/10/15473/";
    expect(toTicket({ ...conversation, _links: { web: { href } } }).url).toBe(href);
  });

  test.each([
    ["active", "open"],
    ["open", "open"],
    ["pending", "pending"],
    ["closed", "closed"],
    ["spam", "closed"],
    ["future", "open"],
  ])("the status %s means %s", (status, expected) => {
    expect(toTicket({ ...conversation, status })).toMatchObject({ status, status_category: expected });
  });
});

describe("comments", () => {
  test.each([
    ["customer", true],
    ["message", true],
    ["chat", true],
    ["phone", true],
    ["note", false],
    ["forwardparent", false],
    ["forwardchild", false],
  ])("customers see a thread of the type %s: %s", (type, is_public) => {
    expect(toComment({ ...thread, type })).toEqual({
      id: "7",
      text: "My printer is **on fire**.  \nHurry up",
      is_public,
      author: { id: "238604", name: "Zoë Bear" },
      created_at: "2017-04-21T14:39:56.000Z",
    });
  });

  test("line items, drafts and hidden threads are no comments", () => {
    expect(isComment(thread)).toBe(true);
    expect(isComment({ ...thread, state: undefined })).toBe(true);
    for (const change of [{ type: "lineitem" }, { state: "draft" }, { state: "hidden" }, { state: "review" }])
      expect(isComment({ ...thread, ...change })).toBe(false);
  });

  test("a thread without text or author has null", () => {
    expect(toComment({ id: 1, type: "note" })).toMatchObject({ text: null, author: null, created_at: null });
    expect(toComment({ ...thread, createdBy: { id: 0 } })).toMatchObject({ author: null });
  });
});

test("a customer has the first of its email addresses", () => {
  const emails = [{ value: "first@example.com" }, { value: "second@example.com" }];
  expect(toCustomer({ id: 1, firstName: "Zoë", lastName: null, _embedded: { emails } })).toEqual({
    id: "1",
    name: "Zoë",
    email: "first@example.com",
  });
  expect(toCustomer({ id: 1, firstName: "", _embedded: {} })).toEqual({ id: "1", name: null, email: null });
});
