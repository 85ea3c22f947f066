// What requests are about: examples of the providers' documentation, shortened, and what Plugboard makes of them.
import { expect, test } from "vitest";
import type { ApplicationHooks, ConnectionHooks } from "../../src/contracts/hooks.ts";
import { readHook } from "../../src/engine/index.ts";
import { hooks as box } from "../../src/providers/box/hooks.ts";
import { hooks as dropbox } from "../../src/providers/dropbox/hooks.ts";
import { hooks as googleCalendar } from "../../src/providers/google-calendar/hooks.ts";
import { hooks as googleDrive } from "../../src/providers/google-drive/hooks.ts";
import { hooks as notion } from "../../src/providers/notion/hooks.ts";
import { hooks as outlookCalendar } from "../../src/providers/outlook-calendar/hooks.ts";
import { hooks as slack } from "../../src/providers/slack/hooks.ts";
import { signHook } from "../../src/runtime/hook-signature.ts";

const SECRET = "secretClientState";

/** What a signed request with this body, and these headers, is. */
function read(hooks: ConnectionHooks | ApplicationHooks, body?: object, headers: Record<string, string> = {}) {
  const request = {
    method: "POST",
    url: "https://example.com/hook",
    bytes: Buffer.from(JSON.stringify(body) ?? ""),
    body,
  };
  const signed = { ...headers, ...signHook(hooks.signature, SECRET, request) };
  const result = readHook(hooks, [SECRET], { ...request, headers: signed, query: new URLSearchParams() }, false);
  const { kind, ...rest } = result as { kind: string };
  return { [kind]: rest };
}

test("Google's first message is about nothing, and every other one about a change", () => {
  const state = (name: string) => ({
    "x-goog-resource-state": name,
    "x-goog-channel-id": "4ba78bf0",
    "x-goog-message-number": "1",
  });
  const nothing = { hint: { operations: [], deletes: [], accounts: [] } };
  expect(read(googleDrive, undefined, state("sync"))).toEqual(nothing);
  expect(read(googleCalendar, undefined, state("sync"))).toMatchObject({ hint: { deletes: [] } });
  expect(read(googleDrive, undefined, state("change"))).toEqual({
    hint: { operations: ["drive.listFiles"], deletes: [], accounts: [] },
  });
  expect(read(googleCalendar, undefined, state("exists"))).toMatchObject({
    hint: { operations: ["calendar.listCalendars", "calendar.listEvents"] },
  });
});

test("several notifications of Microsoft Graph in one request all count", () => {
  const notification = (changeType: string) => ({
    subscriptionId: "76619225-ff6b-4690-b2b2-3f7e3bf0e0ad",
    subscriptionExpirationDateTime: "2025-09-18T16:02:58.3220000-07:00",
    clientState: SECRET,
    changeType,
    resource: "Users/ddfcd489-628b-7d04-b48b-20075df800e5/Events/AAMkAG",
  });
  expect(read(outlookCalendar, { value: [notification("updated")] })).toMatchObject({
    hint: { operations: ["calendar.listEvents"], deletes: [] },
  });
  expect(read(outlookCalendar, { value: [notification("updated"), notification("deleted")] })).toMatchObject({
    hint: { operations: ["calendar.listEvents"], deletes: ["calendar.listEvents"] },
  });
});

test("an event of Slack is about its list, and about every workspace that it is sent for", () => {
  const sent = (event: object, more = {}) =>
    read(slack, { type: "event_callback", team_id: "T123ABC456", api_app_id: "A123ABC456", event, ...more });
  expect(
    sent({ type: "message", channel: "C123ABC456", user: "U123ABC456", text: "Hello", ts: "1355517523.000005" }),
  ).toEqual({
    hint: {
      operations: ["chat.listMessages"],
      deletes: [],
      accounts: ["T123ABC456"],
      targets: ["C123ABC456", ""],
    },
  });
  expect(sent({ type: "message", subtype: "message_deleted", deleted_ts: "1358878749.000002" })).toMatchObject({
    hint: { operations: ["chat.listMessages"], deletes: ["chat.listMessages"] },
  });
  // Whoever changes the topic of a channel leaves a message in it.
  expect(sent({ type: "message", subtype: "channel_topic", topic: "hello world" })).toMatchObject({
    hint: { operations: ["chat.listMessages", "chat.listChannels"] },
  });
  expect(sent({ type: "team_join", user: { id: "W1234567890" } })).toMatchObject({
    hint: { operations: ["chat.listUsers"] },
  });
  const authorizations = [{ enterprise_id: null, team_id: "T987ABC654", user_id: "U123ABC456", is_bot: true }];
  expect(sent({ type: "message", ts: "1355517523.000005" }, { authorizations })).toMatchObject({
    hint: { accounts: ["T123ABC456", "T987ABC654"] },
  });
  expect(
    read(slack, {
      token: "Jhj5dZrVaK7ZwHHjRyZWjbDl",
      challenge: "3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P",
      type: "url_verification",
    }),
  ).toMatchObject({
    handshake: {
      answer: { status: 200, body: '{"challenge":"3eZbrw1aBm2rZgRNFdxV2595E9CY3gmdALWMmHkvFXO7tYXAYM8P"}' },
    },
  });
});

test("an event of Notion is about its workspace, and about tasks and tickets alike", () => {
  const sent = (type: string) =>
    read(notion, { type, workspace_id: "13950b26-c203-4f3b-b97d-93ec06319565", entity: { id: "153104cd" } });
  const accounts = ["13950b26-c203-4f3b-b97d-93ec06319565"];
  expect(sent("page.properties_updated")).toEqual({
    hint: { operations: ["tasks.listTasks", "ticketing.listTickets"], deletes: [], accounts },
  });
  expect(sent("page.deleted")).toMatchObject({ hint: { deletes: ["tasks.listTasks", "ticketing.listTickets"] } });
  expect(sent("comment.created")).toEqual({ hint: { operations: ["tasks.listComments"], deletes: [], accounts } });
  expect(sent("data_source.created")).toMatchObject({
    hint: { operations: ["tasks.listProjects", "ticketing.listProjects"] },
  });
});

test("a request of Dropbox is about all accounts that it names", () => {
  const accounts = ["dbid:AAH4f99T0taONIb-OurWxbNQ6ywGRopQngc", "dbid:AAGu9UScwSjuoqFMz"];
  expect(read(dropbox, { list_folder: { accounts }, delta: { users: [12345678, 23456789] } })).toEqual({
    hint: { operations: ["drive.listFiles"], deletes: ["drive.listFiles"], accounts },
  });
});

test("a trigger of Box says whether an item may be gone", () => {
  const sent = (trigger: string) =>
    read(box, {
      type: "webhook_event",
      trigger,
      webhook: { id: "53", type: "webhook" },
      source: { id: "73835521473", type: "file" },
    });
  expect(sent("FILE.UPLOADED")).toMatchObject({ hint: { operations: ["drive.listFiles"], deletes: [] } });
  for (const trigger of ["FILE.TRASHED", "FOLDER.MOVED"])
    expect(sent(trigger)).toMatchObject({ hint: { operations: ["drive.listFiles"], deletes: ["drive.listFiles"] } });
});
