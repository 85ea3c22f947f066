// Contacts that are written through the Unified API, and read back through it.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/categories/index.ts";
import { providers } from "../../src/providers/registry.gen.ts";
import { type Client, createClient } from "../conformance/client.ts";
import { startService, type TestService } from "../support/service.ts";

const operation = (name: string) => operations.find(({ id }) => id === `crm.${name}`)!;
const writing = providers.filter(({ categories }) =>
  categories.some(({ category, operations: own }) => category === "crm" && own.createContact),
);

/** Providers of which a contact must have a name, or a last name. */
const NEED_A_NAME = new Set(["pipedrive", "salesforce", "zoho"]);

let service: TestService;
beforeAll(async () => {
  service = await startService({ env: { UNIFIED_RATE_LIMIT: "1000000/60" } });
});
afterAll(() => service?.close());

let count = 0;
/** Some providers refuse an email address that another contact has. */
const newEmail = () => `zoe+${++count}@example.com`;
const name = () => ({ first_name: "Zoë", last_name: "d’Arc-Müller" });

/** An ID that looks like the given one and belongs to nothing. */
const unknownId = (id: string) => (/^\d+$/.test(id) ? `9${"0".repeat(id.length)}1` : id.replace(/\d/g, "9"));

/** Some providers remove the spaces from a phone number. */
const comparable = (contact: any) => ({ ...contact, phone: contact.phone?.replaceAll(" ", "") ?? null });

describe.each(writing.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
  let client: Client;
  let companies: string[];
  beforeAll(async () => {
    client = createClient(service, provider);
    const { data } = (await client.call(operation("listCompanies"), {}, { limit: 2 })).body.response;
    companies = data.map((company: any) => company.id);
  });

  const create = (body: object) => client.call(operation("createContact"), {}, {}, {}, body);
  const update = (contact_id: string, body: object) =>
    client.call(operation("updateContact"), { contact_id }, {}, {}, body);
  const list = () => client.walk(operation("listContacts"), {}, [100]);
  const listed = async (contactId: string) => (await list()).filter((contact) => contact.id === contactId);

  /** A contact with a value in every field. */
  const complete = () => ({ ...name(), email: newEmail(), phone: "+49 221 1234567", company_id: companies[0]! });

  it(`a contact written to ${id} with every field is read back in the list with the same meaning`, async () => {
    const before = await list();
    const body = complete();
    const { status, body: answer, text } = await create(body);
    expect([status, text]).toEqual([200, expect.any(String)]);
    const { data } = answer.response;
    expect(comparable(data)).toMatchObject(comparable({ ...body, name: `${body.first_name} ${body.last_name}` }));
    expect(await listed(data.id)).toEqual([data]);
    expect(before.map((contact) => contact.id)).not.toContain(data.id);
    expect(await list()).toHaveLength(before.length + 1);
  });

  it(`a contact with only a name can be written to ${id}`, async () => {
    const { status, body } = await create(name());
    expect([status, body.response.data]).toMatchObject([
      200,
      { ...name(), email: null, phone: null, company_id: null },
    ]);
    expect(await listed(body.response.data.id)).toEqual([body.response.data]);
  });

  it(`an update at ${id} changes one field of a contact and keeps the others`, async () => {
    const expected = { ...complete() };
    const contactId = (await create(expected)).body.response.data.id;
    const changes = [
      { first_name: "Ada" },
      { last_name: "Lovelace" },
      { email: newEmail() },
      { phone: "+49 30 7654321" },
      { company_id: companies[1]! },
    ];
    for (const change of changes) {
      Object.assign(expected, change);
      const { status, body, text } = await update(contactId, change);
      expect([status, text]).toEqual([200, expect.any(String)]);
      const { data } = body.response;
      expect(comparable(data)).toMatchObject(
        comparable({ ...expected, id: contactId, name: `${expected.first_name} ${expected.last_name}` }),
      );
      expect(await listed(contactId)).toEqual([data]);
    }
  });

  it(`an update at ${id} fills the fields of a contact that had only a name`, async () => {
    const { id: contactId } = (await create(name())).body.response.data;
    const change = { email: newEmail(), phone: "+49 30 7654321", company_id: companies[1]! };
    expect((await update(contactId, change)).status).toBe(200);
    const [contact] = await listed(contactId);
    expect(comparable(contact)).toMatchObject(comparable({ ...name(), ...change }));
  });

  it(`an update at ${id} changes the first email address and phone number of each contact, and nothing else`, async () => {
    // Some of these contacts have several addresses or numbers, or none.
    const contacts = (await client.call(operation("listContacts"), {}, { limit: 12 })).body.response.data;
    for (const contact of contacts) {
      const change = { email: newEmail(), phone: "+49 30 7654321" };
      const { data } = (await update(contact.id, change)).body.response;
      const { name: _, updated_at: __, ...rest } = contact;
      expect(comparable(data)).toMatchObject(comparable({ ...rest, ...change }));
    }
  });

  it(`a change of an unknown contact gets ${provider.manifest.name}'s own error, and nothing is written`, async () => {
    const unknown = unknownId((await create(name())).body.response.data.id);
    const before = await list();
    const { status, headers } = await update(unknown, { last_name: "Nobody" });
    expect([status, headers.get("svc-error-source")]).toEqual([404, "provider"]);
    expect(await list()).toEqual(before);
  });

  it(`a contact of an unknown company is refused by ${id} or Plugboard, and nothing is written`, async () => {
    const contactId = (await create(name())).body.response.data.id;
    const before = await list();
    for (const company_id of [unknownId(companies[0]!), "none such"]) {
      const answers = [
        await create({ ...name(), email: newEmail(), company_id }),
        await update(contactId, { first_name: "Changed", company_id }),
      ];
      for (const { status } of answers) expect([400, 404]).toContain(status);
      expect(await list()).toEqual(before);
    }
  });

  it(`a contact with an invalid email address is refused before anything is sent to ${id}`, async () => {
    const sent = await client.requests(async () => {
      const { status, body } = await create({ ...name(), email: "not an address" });
      expect([status, body.errors[0].path]).toEqual([400, ["body", "email"]]);
    });
    expect(sent).toEqual([]);
  });

  const needsName = NEED_A_NAME.has(id);
  it(`a contact without a name ${needsName ? "is refused before anything is sent to" : "can be written to"} ${id}`, async () => {
    const email = newEmail();
    const sent = await client.requests(async () => {
      const { status, body } = await create({ email });
      if (needsName) expect([status, body.errors[0].path]).toEqual([400, ["body", "last_name"]]);
      else expect([status, body.response.data]).toMatchObject([200, { name: email, email, last_name: null }]);
    });
    expect(sent.length > 0).toBe(!needsName);
  });
});
