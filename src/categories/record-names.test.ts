import { expect, it } from "vitest";
import { recordEventType } from "./event-types.ts";
import { operations } from "./index.ts";
import { recordFields, recordName } from "./record-names.ts";

it("a record is named as its events are, whichever operation returns it", () => {
  const named = (id: string) => recordName(operations.find((operation) => operation.id === id)!);
  for (const operation of operations.filter(({ kind }) => kind === "list"))
    expect(`${recordName(operation)}.updated`).toBe(recordEventType(operation, "updated"));
  expect(["crm.createContact", "tasks.createComment", "drive.uploadFile", "identity.getMe"].map(named)).toEqual([
    "crm.contact",
    "tasks.comment",
    "drive.file",
    "identity.account",
  ]);
  expect(["chat.sendMessage", "drive.downloadFile"].map(named)).toEqual([undefined, undefined]);
});

it("the fields of a record are those of its schema", () => {
  const fields = recordFields(operations);
  expect(fields.get("git.tag")).toEqual(["name", "commit_sha", "custom"]);
  expect(fields.get("crm.contact")).toContain("email");
  expect([...fields.values()].filter(({ length }) => length === 0)).toEqual([]);
});
