// Help desk tickets and comments that are written through the Unified API, and read back through it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { markdownToPlain } from "../../src/provider-kit/text/to-plain.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { type Client, createClient } from "../conformance/client.ts";
import { startService, type TestService } from "../support/service.ts";

const operation = (name: string) => operations.find(({ id }) => id === `helpdesk.${name}`)!;
/** Tickets without a description of their own, and times to the second: their round trips are beside them. */
const TESTED_BESIDE = ["front", "help-scout"];
const writing = providers
  .filter(({ categories }) =>
    categories.some(({ category, operations: own }) => category === "helpdesk" && own.createTicket),
  )
  .filter(({ manifest }) => !TESTED_BESIDE.includes(manifest.id));

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
});
afterAll(() => service?.close());

/** The words of a text: some providers keep only these of a description, or of a comment that customers see. */
const wordsOf = (markdown: string) => markdownToPlain(markdown)!.match(/[\p{L}\p{N}\p{Emoji_Presentation}]+/gu);

const markdown = "Grüße 👋\n\nIt is **too large**:\n\n- *one*\n- `two`\n\n5 < 6 & a_b_c";

describe.each(writing.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  let client: Client;
  beforeAll(() => {
    client = createClient(service, provider);
  });
  const hasField = (name: string) => provider.fields!["helpdesk.listTickets"]!.includes(name);

  async function write(name: string, pathParams: Record<string, string>, body: object) {
    const answer = await client.call(operation(name), pathParams, {}, {}, body);
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    return answer.body.response.data;
  }
  const create = (more: object = {}) =>
    write(
      "createTicket",
      {},
      { subject: "Größe & <b>", description: markdown, requester: { email: "zoe@example.com", name: "Zoë" }, ...more },
    );
  const read = async (ticket_id: string) =>
    (await client.call(operation("getTicket"), { ticket_id })).body.response.data;
  const all = () => client.walk(operation("listTickets"), {}, [100]);

  /** The names of this field in tickets of this provider. */
  const namesOf = async (field: "status" | "priority"): Promise<string[]> =>
    (await all()).flatMap((ticket) => ticket[field] ?? []);

  it(`a ticket written to ${id} with every field is read back with the same meaning, and is in the list`, async () => {
    const more = {
      ...(hasField("priority") && { priority: (await namesOf("priority"))[0] }),
      ...(hasField("tags") && { tags: ["größe", "upload"] }),
    };
    const before = await all();
    const created = await create(more);
    expect(created).toMatchObject({ ...more, subject: "Größe & <b>", status_category: "open", assignee: null });
    expect(wordsOf(created.description)).toEqual(wordsOf(markdown));
    expect(await read(created.id)).toEqual(created);
    const after = await all();
    expect(after).toHaveLength(before.length + 1);
    expect(after.find((ticket) => ticket.id === created.id)).toEqual(created);
  });

  it(`the requester of a ticket written to ${id} is the customer with that email address, once`, async () => {
    const email = "somebody.new@example.com";
    const first = await create({ requester: { email, name: "Zoë Müller" } });
    const second = await create({ requester: { email } });
    expect(second.requester.id).toBe(first.requester.id);
    const customers = await client.walk(operation("listCustomers"), {}, [100]);
    expect(customers.filter((customer) => customer.email === email).map((customer) => customer.id)).toEqual([
      first.requester.id,
    ]);
  });

  it(`a public comment and a private note written to ${id} are read back as such, in order`, async () => {
    const params = { ticket_id: (await create()).id };
    const before = await client.walk(operation("listComments"), params, [100]);
    const note = await write("createComment", params, { text: markdown, is_public: false });
    const comment = await write("createComment", params, { text: "second" });
    expect([note.is_public, comment.is_public]).toEqual([false, true]);
    expect(wordsOf(note.text)).toEqual(wordsOf(markdown));
    expect(comment.text).toBe("second");
    expect(await client.walk(operation("listComments"), params, [100])).toEqual([...before, note, comment]);
  });

  it(`a change of status in ${id} is read back, whatever the case of its name, and nothing else changes`, async () => {
    const created = await create();
    const wanted = (await all()).find(
      (ticket) => ticket.status !== created.status && ["pending", "solved"].includes(ticket.status_category),
    );
    const changed = await write("updateTicket", { ticket_id: created.id }, { status: wanted.status.toUpperCase() });
    const { status, status_category } = wanted;
    expect(changed).toEqual({ ...created, status, status_category, updated_at: changed.updated_at });
    expect(changed.updated_at > created.updated_at).toBe(true);
    expect(await read(created.id)).toEqual(changed);
  });

  it.each(["status", "priority"] as const)(
    `an unknown %s is refused with the names that ${id} knows, and nothing is written`,
    async (field) => {
      const ticket = await create();
      const exchanges = await client.exchanges(async () => {
        const { status, body } = await client.call(
          operation("updateTicket"),
          { ticket_id: ticket.id },
          {},
          {},
          { [field]: "no such name" },
        );
        expect([status, body.errors[0].path]).toEqual([400, ["body", field]]);
        if (hasField(field)) expect(body.errors[0].detail).toMatch(/must be one of ".+", not "no such name"/);
        if (ticket[field]) expect(body.errors[0].detail).toContain(`"${ticket[field]}"`);
      });
      expect(exchanges.filter(({ request }) => request.method !== "GET")).toEqual([]);
      expect(await read(ticket.id)).toEqual(ticket);
    },
  );

  it(`a change of, and a comment on, an unknown ticket get ${provider.manifest.name}'s own error`, async () => {
    const params = { ticket_id: "999999999" };
    for (const [name, body] of [
      ["updateTicket", hasField("tags") ? { tags: ["a"] } : { assignee_id: "1" }],
      ["createComment", { text: "x" }],
    ] as const) {
      const { status, headers } = await client.call(operation(name), params, {}, {}, body);
      expect([name, status, headers.get("svc-error-source")]).toEqual([name, 404, "provider"]);
    }
  });
});
