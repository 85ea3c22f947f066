import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { ProviderFailure } from "../../contracts/fault.ts";
import { providers } from "../registry.gen.ts";
import { acceptedMessage } from "./writes.ts";

const operation = (name: string) => operations.find(({ id }) => id === `helpdesk.${name}`)!;
let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  client = createClient(service, providers.find(({ manifest: { id } }) => id === "front")!);
});
afterAll(() => service?.close());

const write = (name: string, pathParams: Record<string, string>, body: object, headers = {}) =>
  client.call(operation(name), pathParams, {}, headers, body);
const read = async (ticket_id: string) => (await client.call(operation("getTicket"), { ticket_id })).body.response.data;
const commentsOf = (ticket_id: string) => client.walk(operation("listComments"), { ticket_id }, [100]);
const listTickets = () => client.walk(operation("listTickets"), {}, [100]);

const NEW = {
  subject: "Größe falsch",
  description: "It says **too large**, see [the picture](https://example.com/p).",
  requester: { email: "new@example.com", name: "Zoë" },
  tags: ["größe"],
};
const create = async (headers = {}) => (await write("createTicket", {}, NEW, headers)).body.response.data;

test("a new Front ticket is a message of the requester in the inbox of the first shared channel", async () => {
  const exchanges = await client.exchanges(create);
  const imported = exchanges.find(({ request }) => request.method === "POST")!.request;
  expect(imported.path).toContain("/inboxes/inb_1/imported_messages");
  expect(imported.body.to).toEqual(["cha_3@example.com"]);
  const created = await create();
  expect(created).toMatchObject({
    subject: "Größe falsch",
    status: "unassigned",
    status_category: "open",
    requester: { name: "Zoë", email: "new@example.com" },
    tags: ["größe"],
  });
  expect(await read(created.id)).toEqual(created);
  expect((await listTickets())[0]).toEqual(created);
  expect(await commentsOf(created.id)).toMatchObject([
    { text: NEW.description, is_public: true, author: { id: created.requester.id, name: "Zoë" } },
  ]);
});

test("a new ticket with a tag that Front does not have is refused, and nothing is created", async () => {
  const before = (await listTickets()).length;
  const { status } = await write("createTicket", {}, { ...NEW, tags: ["größe", "no such tag"] });
  expect([status, (await listTickets()).length]).toEqual([400, before]);
});

test("two new Front tickets of one requester are two conversations", async () => {
  expect((await create()).id).not.toBe((await create()).id);
});

test("the ID of an imported message stays the same for an idempotency key", async () => {
  const externalId = async (key: string) => {
    const exchanges = await client.exchanges(() => create({ "Idempotency-Key": key }));
    return exchanges.find(({ request }) => request.method === "POST")?.request.body.external_id;
  };
  expect(await externalId("one")).toMatch(/^[0-9a-f]{64}$/);
  // Not sent again.
  expect(await externalId("one")).toBeUndefined();
});

test("status, assignee and tags of a Front ticket change in one call", async () => {
  const { id } = await create();
  const change = { status: "OPEN", assignee_id: "tea_6r55b", tags: ["upload", "vip", "tag 117"] };
  let data: any;
  const exchanges = await client.exchanges(async () => {
    data = (await write("updateTicket", { ticket_id: id }, change)).body.response.data;
  });
  expect(exchanges.filter(({ request }) => request.method !== "GET")).toHaveLength(1);
  expect(data).toMatchObject({ status: "assigned", assignee: { id: "tea_6r55b" }, tags: ["upload", "VIP", "tag 117"] });
  expect(await read(id)).toEqual(data);
  const cleared = await write("updateTicket", { ticket_id: id }, { status: "archived", tags: [] });
  expect(cleared.body.response.data).toMatchObject({ status: "archived", status_category: "closed", tags: [] });
});

test.each([
  ["status", { status: "solved" }, '"open", "archived", "deleted", "spam", not "solved"'],
  ["tags", { tags: ["upload", "no such tag"] }, '"größe", "upload", "VIP"'],
  ["priority", { priority: "high" }, "nothing can be chosen here"],
])("an unknown %s of a Front ticket is refused, and nothing is written", async (field, change, detail) => {
  const [first] = await listTickets();
  const exchanges = await client.exchanges(async () => {
    const { status, body } = await write("updateTicket", { ticket_id: first.id }, change);
    expect([status, body.errors[0].path]).toEqual([400, ["body", field]]);
    expect(body.errors[0].detail).toContain(detail);
  });
  expect(exchanges.filter(({ request }) => request.method !== "GET")).toEqual([]);
});

test("an unknown assignee or ticket gets Front's own 404", async () => {
  const [first] = await listTickets();
  for (const [ticket_id, change] of [
    [first.id, { assignee_id: "tea_none" }],
    ["cnv_none", { status: "open" }],
  ])
    expect((await write("updateTicket", { ticket_id }, change)).status).toBe(404);
  expect((await write("createComment", { ticket_id: "cnv_none" }, { text: "x" })).status).toBe(404);
});

test.each([true, false])(
  "a Front comment with is_public %s is read back, and the ticket stays open",
  async (is_public) => {
    const { id, status } = await create();
    const text = "We are **on it**:\n\n1. one\n2. two 🔧";
    const { data } = (await write("createComment", { ticket_id: id }, { text, is_public })).body.response;
    expect(data).toMatchObject({ text, is_public, author: { name: "API" } });
    expect((await commentsOf(id)).at(-1)).toEqual(data);
    expect((await read(id)).status).toBe(status);
  },
);

describe("a message that Front has accepted", () => {
  const failing = (times: number, status: number) => {
    let calls = 0;
    const upstream: any = async () => {
      if (calls++ < times) throw new ProviderFailure(status, {}, Buffer.alloc(0));
      return { status: 200, headers: {}, body: { id: "msg_1" } };
    };
    const waits: number[] = [];
    const sleep = async (milliseconds: number) => void waits.push(milliseconds);
    return { upstream, sleep, waits };
  };
  const accepted = { message_uid: "u" };

  test("an accepted message is read again until Front shows it", async () => {
    const context = failing(2, 404);
    expect(await acceptedMessage(context, accepted)).toEqual({ id: "msg_1" });
    expect(context.waits).toEqual([100, 400]);
  });

  test("an accepted message has an unknown outcome if Front does not show it in time", async () => {
    await expect(acceptedMessage(failing(5, 404), accepted)).rejects.toMatchObject({ kind: "outcome_unknown" });
  });

  test("an accepted message is not read again after another error", async () => {
    await expect(acceptedMessage(failing(1, 403), accepted)).rejects.toMatchObject({ status: 403 });
  });
});
