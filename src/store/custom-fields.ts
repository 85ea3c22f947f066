import { type CustomField, MAX_CUSTOM_FIELDS, type StoredCustomField } from "../contracts/custom-fields.ts";
import { Fault } from "../contracts/fault.ts";
import type { Store } from "../contracts/store.ts";
import type { StoreContext } from "./database/context.ts";
import { toJson } from "./database/json.ts";
import { rejectNul } from "./database/reject-nul.ts";
import type { CustomFieldRow } from "./database/schema.ts";
import { toIso } from "./database/time.ts";

const toCustomField = (row: CustomFieldRow): CustomField => ({
  id: row.id,
  record: row.record,
  name: row.name,
  type: row.type,
  paths: JSON.parse(row.paths),
  integration_id: row.integration_id,
  connection_id: row.connection_id,
});

const toStored = (row: CustomFieldRow): StoredCustomField => ({
  ...toCustomField(row),
  workspace_id: row.workspace_id,
  created_at: toIso(row.created_at),
  updated_at: toIso(row.updated_at),
});

export function customFields({ database, stamp }: StoreContext): Store["customFields"] {
  const ofWorkspace = (workspaceId: string) =>
    database.selectFrom("custom_fields").selectAll().where("workspace_id", "=", workspaceId);

  /** The declaration of the same name for the same record and connections. */
  async function same(field: Omit<StoredCustomField, "id" | "type" | "paths" | "created_at" | "updated_at">) {
    return ofWorkspace(field.workspace_id)
      .where("record", "=", field.record)
      .where("name", "=", field.name)
      .where("integration_id", field.integration_id === null ? "is" : "=", field.integration_id)
      .where("connection_id", field.connection_id === null ? "is" : "=", field.connection_id)
      .executeTakeFirst();
  }

  return {
    async create({ paths, ...field }) {
      const taken = await same(field);
      if (taken) throw new Fault("conflict", `${field.record} has a custom field "${field.name}" already: ${taken.id}`);
      const { count } = await database
        .selectFrom("custom_fields")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .where("workspace_id", "=", field.workspace_id)
        .executeTakeFirstOrThrow();
      if (Number(count) >= MAX_CUSTOM_FIELDS)
        throw new Fault("conflict", `a workspace can have ${MAX_CUSTOM_FIELDS} custom fields: delete one`);
      const created_at = stamp();
      const row = await database
        .insertInto("custom_fields")
        .values(rejectNul({ ...field, paths: toJson(paths), created_at, updated_at: created_at }))
        .returningAll()
        .executeTakeFirstOrThrow();
      return toStored(row);
    },

    async get(workspaceId, id) {
      const row = await ofWorkspace(workspaceId).where("id", "=", id).executeTakeFirst();
      return row && toStored(row);
    },

    async list(workspaceId) {
      return (await ofWorkspace(workspaceId).orderBy("record").orderBy("name").orderBy("id").execute()).map(toStored);
    },

    async update(workspaceId, id, { paths, ...change }) {
      const row = await database
        .updateTable("custom_fields")
        .set(rejectNul({ ...change, ...(paths && { paths: toJson(paths) }), updated_at: stamp() }))
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .returningAll()
        .executeTakeFirst();
      return row && toStored(row);
    },

    async delete(workspaceId, id) {
      const { numDeletedRows } = await database
        .deleteFrom("custom_fields")
        .where("workspace_id", "=", workspaceId)
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      return numDeletedRows > 0n;
    },
  };
}
