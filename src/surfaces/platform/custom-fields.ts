import Type from "typebox";
import { OneOf } from "../../categories/schema.ts";
import { customFieldTypes, MAX_CUSTOM_FIELDS } from "../../contracts/custom-fields.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { ChangingStore } from "../../contracts/store.ts";
import { newId } from "../../runtime/ids.ts";
import { CustomFieldRecord } from "../shared/platform-records/custom-field.ts";
import { closed, MapOf } from "../shared/platform-records/schema.ts";
import { change } from "./change.ts";
import { createCustomFieldCheck } from "./custom-field-check.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound, requireFound } from "./route.ts";
import { DryRun, InputText, Success } from "./schemas.ts";

const MAX_POINTER_LENGTH = 500;

const FieldType = OneOf(customFieldTypes, "What values are read as; one of another type is null");
const Paths = MapOf<string>(
  { type: "string", minLength: 1, maxLength: MAX_POINTER_LENGTH },
  "A JSON Pointer into the provider's own item, such as /properties/tier, by provider",
  { minProperties: 1, maxProperties: 200 },
);
export const NewCustomField = Type.Object(
  {
    record: InputText(100, "the record, such as crm.contact"),
    name: Type.String({
      minLength: 1,
      maxLength: 63,
      pattern: "^[a-z][a-z0-9_]{0,62}$",
      description: "Its name in `custom`: lower-case letters, digits and _",
    }),
    type: FieldType,
    paths: Paths,
    integration_id: Type.Optional(InputText(100, "only for connections of this integration")),
    connection_id: Type.Optional(InputText(100, "only for this connection")),
  },
  { title: "NewCustomField", ...closed },
);
const CustomFieldChange = Type.Object(
  { type: Type.Optional(FieldType), paths: Type.Optional(Paths) },
  { title: "CustomFieldChange", ...closed },
);

export function customFieldRoutes(
  app: PlatformApp,
  { store, coordination, engine, operations }: PlatformOptions,
): void {
  const route = describeRoute("Custom fields", { wholeWorkspace: true });
  const check = createCustomFieldCheck(operations);
  const providersOf = async (workspaceId: string) => new Set((await engine.providersOf(workspaceId)).keys());

  async function assertScope(
    { integrations, connections }: ChangingStore,
    workspaceId: string,
    { integration_id, connection_id }: { integration_id?: string; connection_id?: string },
  ) {
    if (integration_id !== undefined && connection_id !== undefined)
      throw invalidInput({ path: ["connection_id"], message: "must not be given together with `integration_id`" });
    if (integration_id !== undefined && !(await integrations.get(workspaceId, integration_id)))
      throw invalidInput({ path: ["integration_id"], message: "is not an integration of this workspace" });
    if (connection_id !== undefined && !(await connections.get(workspaceId, connection_id)))
      throw invalidInput({ path: ["connection_id"], message: "is not a connection of this workspace" });
  }

  app.get(
    "/v1/custom-fields",
    {
      schema: route("listCustomFields", "integrations:read", "List custom fields", {
        200: Type.Array(CustomFieldRecord),
        description: "All of them, in one response.",
      }),
    },
    ({ workspace }) => store.customFields.list(workspace.id),
  );

  app.post(
    "/v1/custom-fields",
    {
      schema: route("createCustomField", "integrations:write", "Declare a custom field", {
        action: "custom_field.create",
        querystring: DryRun,
        body: NewCustomField,
        201: CustomFieldRecord,
        errors: [409],
        description: `Records then have it in \`custom\`. For a connection, the nearest declaration of a name counts: its own, that of its integration, that of the workspace. A workspace can have ${MAX_CUSTOM_FIELDS}.`,
      }),
    },
    async (request, reply) => {
      const { workspace, body } = request;
      check(body, await providersOf(workspace.id));
      const { integration_id = null, connection_id = null } = body;
      const values = { id: newId("cf"), workspace_id: workspace.id, ...body, integration_id, connection_id };
      const created = await change(store, request, async (changing) => {
        await assertScope(changing, workspace.id, body);
        return changing.customFields.create(values);
      });
      await coordination.invalidate("custom_field", created.id);
      return reply.code(201).send(created);
    },
  );

  app.get(
    "/v1/custom-fields/:id",
    {
      schema: route("getCustomField", "integrations:read", "Get a custom field", {
        params: IdParameter,
        200: CustomFieldRecord,
      }),
    },
    async ({ workspace, params }) => requireFound(await store.customFields.get(workspace.id, params.id)),
  );

  app.patch(
    "/v1/custom-fields/:id",
    {
      schema: route("updateCustomField", "integrations:write", "Change a custom field", {
        action: "custom_field.update",
        params: IdParameter,
        querystring: DryRun,
        body: CustomFieldChange,
        200: CustomFieldRecord,
        description: "`paths` are replaced as a whole.",
      }),
    },
    async (request) => {
      const { workspace, params, body } = request;
      const current = requireFound(await store.customFields.get(workspace.id, params.id));
      check({ ...current, ...body }, await providersOf(workspace.id));
      if (Object.keys(body).length === 0) return current;
      const changed = await change(
        store,
        request,
        ({ customFields }) => customFields.update(workspace.id, current.id, body),
        current,
      );
      await coordination.invalidate("custom_field", current.id);
      return requireFound(changed);
    },
  );

  app.delete(
    "/v1/custom-fields/:id",
    {
      schema: route("deleteCustomField", "integrations:write", "Delete a custom field", {
        action: "custom_field.delete",
        params: IdParameter,
        200: Success,
        description: "Records no longer have it. At the provider, nothing changes.",
      }),
    },
    async (request) => {
      const { workspace, params } = request;
      if (!(await change(store, request, ({ customFields }) => customFields.delete(workspace.id, params.id))))
        throw notFound();
      await coordination.invalidate("custom_field", params.id);
      return { success: true };
    },
  );
}
