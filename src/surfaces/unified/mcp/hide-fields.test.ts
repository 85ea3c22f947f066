import Type from "typebox";
import { describe, expect, it } from "vitest";
import { operations } from "../../../categories/index.ts";
import { recordName } from "../../../categories/record-names.ts";
import { isTool } from "../../../categories/tools.ts";
import type { BoundOperation } from "../../../contracts/operation.ts";
import { listQuery } from "../input.ts";
import { responseSchema } from "../response.ts";
import { createHiding } from "./hide-fields.ts";

const operation = (id: string) => operations.find((one) => one.id === id)!;
const hidingOf = (id: string, ...hide: string[]) => createHiding(operation(id), [{ hide }])!;

/** A tool's entry with the operation's own arguments, and those of every tool. */
function entryOf({ query, body, kind, ...rest }: BoundOperation) {
  const { include_raw, params } = listQuery;
  const path = Object.fromEntries(rest.parameters.map(({ name }) => [name, Type.String()]));
  const common = { include_raw, ...(kind === "list" && { params }) };
  const inputSchema = Type.Object({ ...path, ...query, ...common, ...body?.properties });
  return { name: "tool", inputSchema, outputSchema: responseSchema(operation(rest.id)) };
}
const define = (id: string, ...hide: string[]): any => hidingOf(id, ...hide).define(entryOf(operation(id)));
const argumentsOf = (entry: any) => Object.keys(entry.inputSchema.properties);

interface FieldSchema {
  enum?: string[];
  format?: string;
}

const contact = {
  id: "1",
  name: "Zoë",
  email: "zoe@example.com",
  first_name: "Zoë",
  phone: null,
  created_at: "2026-01-01T00:00:00.000Z",
  updated_at: "2026-01-01T00:00:00.000Z",
};

describe("hidden fields", () => {
  it("nothing changes if no tool pack hides anything", () => {
    expect(createHiding(operation("crm.listContacts"), [])).toBeUndefined();
    expect(createHiding(operation("crm.listContacts"), [{ hide: [] }, { hide: [] }])).toBeUndefined();
  });

  it("a hidden field is in no record of an answer, and the provider's own response is not in it either", () => {
    const { answer } = hidingOf("crm.listContacts", "crm.contact.email", "crm.contact.phone");
    const { email: _, phone: __, ...shown } = contact;
    const response = { data: [contact, contact], metadata: { next: "x" }, _raw: [{ email: contact.email }] };
    expect(answer({ response })).toEqual({ response: { data: [shown, shown], metadata: { next: "x" } } });
    expect(
      hidingOf("crm.createContact", "crm.contact.email", "crm.contact.phone").answer({ response: { data: contact } }),
    ).toEqual({ response: { data: shown } });
  });

  it("a text that is the same as a hidden one is hidden too, and a time is not", () => {
    const nameless = { ...contact, name: contact.email };
    const shown = (...hide: string[]) =>
      hidingOf("crm.updateContact", ...hide).answer({ response: { data: nameless } });
    expect(shown("crm.contact.email")).toMatchObject({ response: { data: { name: "(hidden)", first_name: "Zoë" } } });
    expect(JSON.stringify(shown("crm.contact.email"))).not.toContain("zoe@example.com");
    expect(shown("crm.contact.created_at")).toMatchObject({ response: { data: { updated_at: contact.updated_at } } });
  });

  it("whichever field of whichever record is hidden, the answer fits the schema and has no trace of it", () => {
    let count = 0;
    for (const one of operations.filter((operation) => isTool(operation) && recordName(operation))) {
      const { properties } = one.record as unknown as { properties: Record<string, FieldSchema> };
      const [text = "done"] = Object.values(properties).flatMap((schema) => schema.enum ?? []);
      const record = Object.fromEntries(Object.keys(properties).map((name) => [name, text]));
      for (const field of Object.keys(properties)) {
        const hiding = hidingOf(one.id, `${recordName(one)}.${field}`);
        const entry = hiding.define(entryOf(one)) as any;
        if (!entry) continue;
        count++;
        const { response } = hiding.answer({ response: { data: [record], _raw: record } });
        const { data: schema } = entry.outputSchema.properties.response.properties;
        const [shown] = response.data as [Record<string, string>];
        expect(Object.keys(response)).toEqual(["data"]);
        expect(Object.keys(shown)).toEqual(Object.keys(properties).filter((name) => name !== field));
        expect(Object.keys(shown)).toEqual((schema.items ?? schema).required);
        for (const [name, value] of Object.entries(shown))
          expect(value, `${name} of ${one.id}`).toBe(
            properties[name]!.enum || properties[name]!.format ? text : "(hidden)",
          );
      }
    }
    expect(count).toBeGreaterThan(200);
  });

  it("the fields of other records stay, but not the provider's own response", () => {
    const company = { id: "1", name: "Acme", phone: "1" };
    const { answer } = hidingOf("crm.listCompanies", "crm.contact.phone");
    expect(answer({ response: { data: [company], _raw: {} } })).toEqual({ response: { data: [company] } });
    const sent = hidingOf("chat.sendMessage", "crm.contact.phone").answer({ response: { data: { ts: "1" } } });
    expect(sent).toEqual({ response: { data: {} } });
  });

  it("the schema of the answer has neither the hidden field nor the provider's own response", () => {
    const { properties } = define("crm.listContacts", "crm.contact.email").outputSchema.properties.response;
    expect(Object.keys(properties)).toEqual(["data", "metadata"]);
    expect(Object.keys(properties.data.items.properties)).toContain("phone");
    for (const names of [Object.keys(properties.data.items.properties), properties.data.items.required])
      expect(names).not.toContain("email");
    const one = define("tasks.getTask", "tasks.task.title").outputSchema.properties.response.properties.data;
    expect(Object.keys(one.properties)).toEqual(one.required);
    expect(one.required).not.toContain("title");
  });

  it("a hidden field is no argument of a write and no filter, and nothing leads around it", () => {
    expect(argumentsOf(define("crm.updateContact", "crm.contact.email"))).toEqual([
      "contact_id",
      "first_name",
      "last_name",
      "phone",
      "company_id",
      "custom",
    ]);
    expect(argumentsOf(define("crm.listContacts", "crm.contact.email"))).toEqual(["query", "updated_since"]);
    const { assertArguments } = hidingOf("crm.updateContact", "crm.contact.email");
    expect(() => assertArguments({ contact_id: "1", phone: "2" })).not.toThrow();
    for (const name of ["email", "include_raw", "params", "provider"])
      expect(() => assertArguments({ contact_id: "1", [name]: "x" })).toThrow(
        `arguments.${name}: is not allowed by the tool pack`,
      );
  });

  it.each([
    ["tasks.listTasks", "tasks.task.assignee", "assignee_id"],
    ["tasks.createTask", "tasks.task.assignee", "assignee_id"],
    ["tasks.updateTask", "tasks.task.assignee", "assignee_id"],
    ["helpdesk.listTickets", "helpdesk.ticket.requester", "requester"],
    ["helpdesk.updateTicket", "helpdesk.ticket.assignee", "assignee_id"],
    ["crm.listContacts", "crm.contact.updated_at", "updated_since"],
    ["drive.listFiles", "drive.file.parent_id", "folder_id"],
  ])("the arguments of %s do not lead around a hidden %s by the name %s", (id, hidden, name) => {
    expect(argumentsOf(entryOf(operation(id)))).toContain(name);
    expect(argumentsOf(define(id, hidden))).not.toContain(name);
    expect(() => hidingOf(id, hidden).assertArguments({ [name]: "x" })).toThrow("is not allowed by the tool pack");
  });

  it("a part of the path is an argument, whatever is hidden", () => {
    expect(argumentsOf(define("git.listIssueComments", "git.issue.number", "git.issue_comment.id"))).toContain(
      "number",
    );
  });

  it("a tool that cannot be called without a hidden field is not offered", () => {
    expect(define("git.createIssue", "git.issue.title")).toBeUndefined();
    expect(define("git.createIssue", "git.issue.labels")).toBeDefined();
    expect(define("calendar.listEvents", "calendar.event.start_date")).toBeUndefined();
  });
});
