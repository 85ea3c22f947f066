import { afterAll, beforeAll, expect, test } from "vitest";
import { type Client, createClient } from "../../../test/conformance/client.ts";
import { startService, type TestService } from "../../../test/support/service.ts";
import { operations } from "../../categories/index.ts";
import { providers } from "../registry.gen.ts";

const operation = (name: string) => operations.find(({ id }) => id === `helpdesk.${name}`)!;
let service: TestService;
let client: Client;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
  client = createClient(service, providers.find(({ manifest: { id } }) => id === "help-scout")!);
});
afterAll(() => service?.close());

const write = (name: string, pathParams: Record<string, string>, body: object) =>
  client.call(operation(name), pathParams, {}, {}, body);
const read = async (ticket_id: string) => (await client.call(operation("getTicket"), { ticket_id })).body.response.data;

const NEW = {
  subject: "Größe falsch",
  description: "It says **too large**, see [the picture](https://example.com/p).",
  requester: { email: "new@example.com", name: "Zoë von Köln" },
  tags: ["größe", "upload"],
};
const create = async () => (await write("createTicket", {}, NEW)).body.response.data;

test("a new Help Scout ticket has its description, and its requester becomes a customer", async () => {
  const created = await create();
  expect(created).toMatchObject({
    subject: "Größe falsch",
    description: NEW.description,
    status: "active",
    requester: { name: "Zoë von Köln", email: "new@example.com" },
    tags: ["größe", "upload"],
  });
  expect(await read(created.id)).toEqual(created);
  const tickets = await client.walk(operation("listTickets"), {}, [100]);
  expect(tickets.at(-1)).toEqual(created);
  const customers = await client.walk(operation("listCustomers"), {}, [100]);
  expect(customers.filter(({ email }) => email === "new@example.com")).toEqual([{ ...created.requester, custom: {} }]);
});

test("a new Help Scout ticket goes to the first inbox", async () => {
  const exchanges = await client.exchanges(create);
  expect(exchanges.map(({ request }) => request.method)).toEqual(["GET", "POST", "GET"]);
  expect(exchanges[1]!.request.body.mailboxId).toBe(85);
});

test.each([
  [{ status: "PENDING" }, { status: "pending", status_category: "pending" }],
  [{ assignee_id: "17" }, { assignee: { id: "17", name: "Zoë Müller" } }],
  [{ tags: ["größe"] }, { tags: ["größe"] }],
  [{ tags: [] }, { tags: [] }],
])("the change %j of a Help Scout ticket is read back", async (change, expected) => {
  const { id } = await create();
  const { data } = (await write("updateTicket", { ticket_id: id }, change)).body.response;
  expect(data).toMatchObject({ ...expected, subject: "Größe falsch" });
  expect(await read(id)).toEqual(data);
});

test.each([
  [["status"], { status: "solved" }, '"active", "pending", "closed", "spam", not "solved"'],
  [["priority"], { priority: "high" }, "nothing can be chosen here"],
  [["assignee_id"], { assignee_id: "zoe" }, "must be the ID of a user"],
  [["assignee_id", "tags"], { status: "closed", assignee_id: "17", tags: [] }, "one field per request"],
])("a change of a Help Scout ticket is refused for %j, and nothing is sent", async (fields, change, detail) => {
  const seen = await client.requests(async () => {
    const { status, body } = await write("updateTicket", { ticket_id: "91" }, change);
    expect([status, body.errors.map(({ path }: any) => path)]).toEqual([400, fields.map((field) => ["body", field])]);
    expect(body.errors[0].detail).toContain(detail);
  });
  expect(seen).toEqual([]);
});

test("a priority of a new Help Scout ticket is refused, and nothing is sent", async () => {
  const seen = await client.requests(async () => {
    const { status, body } = await write("createTicket", {}, { ...NEW, priority: "high" });
    expect([status, body.errors[0].path]).toEqual([400, ["body", "priority"]]);
  });
  expect(seen).toEqual([]);
});

test("Help Scout's own refusals are passed on", async () => {
  const unknownUser = await write("updateTicket", { ticket_id: "91" }, { assignee_id: "999" });
  expect([unknownUser.status, unknownUser.body.message]).toEqual([400, "Validation error"]);
  expect((await write("updateTicket", { ticket_id: "1" }, { status: "closed" })).status).toBe(404);
  expect((await write("createComment", { ticket_id: "1" }, { text: "x" })).status).toBe(404);
});

test.each([
  [true, "reply"],
  [false, "notes"],
])("a Help Scout comment with is_public %s is a %s, and is read back", async (is_public, address) => {
  const { id } = await create();
  const text = "We are **on it**:\n\n1. one\n2. two 🔧";
  let data: any;
  const exchanges = await client.exchanges(async () => {
    data = (await write("createComment", { ticket_id: id }, { text, is_public })).body.response.data;
  });
  expect(exchanges.find(({ request }) => request.method === "POST")!.request.path).toContain(`/${id}/${address}`);
  expect(data).toMatchObject({ text, is_public, author: { id: "4", name: "Sandbox" } });
  const comments = await client.walk(operation("listComments"), { ticket_id: id }, [100]);
  expect(comments[0]).toEqual(data);
  expect((await read(id)).description).toBe(NEW.description);
});
