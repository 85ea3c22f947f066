import Type, { type TObject } from "typebox";
import { NewCustomField } from "../../surfaces/platform/custom-fields.ts";
import { NewIntegration } from "../../surfaces/platform/integration-inputs.ts";
import { InputText } from "../../surfaces/platform/schemas.ts";
import { NewToolPack } from "../../surfaces/platform/tool-packs.ts";
import { NewWebhook } from "../../surfaces/platform/webhooks.ts";
import { WorkspaceChange } from "../../surfaces/platform/workspace.ts";
import { closed } from "../../surfaces/shared/platform-records/schema.ts";

/** An entry of the file, or what the API has of it. */
export type Fields = Record<string, unknown>;

/** The parts of the file. All but the workspace are lists. */
export type Section = "tool_packs" | "providers" | "integrations" | "custom_fields" | "webhooks" | "workspace";

export interface Kind {
  section: Section;
  /** What one of them is called in the plan. */
  title: string;
  path: string;
  /** Whether the list is read page by page. */
  isPaged?: boolean;
  /** What a new one takes. */
  schema: TObject;
  /** What people call it. Entries of the file and of the workspace with the same name are the same. */
  nameOf(entry: Fields): string;
  /** Whether an entry may have the `id` of an existing one, which then gets all fields of the entry, its name too. */
  byId?: boolean;
  /** Fields that cannot be changed later. */
  fixed?: string[];
  /** Fields that are never returned, and whose value must be in the environment or in a file. */
  secrets?: string[];
  /** Fields whose value may be in the environment or in a file; of a map, its values. */
  referable?: string[];
  /** A field with the id of another entry, for which the file may have that entry's name. */
  pointer?: { field: string; to: "integrations" | "tool_packs" };
  /** Whether a field that the entry does not have is removed, instead of kept. */
  isWhole?: boolean;
}

const named = (entry: Fields) => String(entry.name);

const integration = ({ identifier, name }: Fields) => (name ? `${identifier}/${name}` : String(identifier));

function customField({ record, name, integration_id, connection_id }: Fields): string {
  const only = integration_id ?? connection_id;
  return `${record}.${name}${only ? ` of ${only}` : ""}`;
}

/** In the order in which they are created, so that what others refer to comes first. They are deleted in reverse. */
export const kinds: readonly Kind[] = [
  {
    section: "tool_packs",
    title: "tool pack",
    path: "/v1/tool-packs",
    schema: NewToolPack,
    nameOf: named,
    byId: true,
  },
  {
    section: "providers",
    title: "provider",
    path: "/v1/providers",
    // Documents are checked one by one, as the API does it.
    schema: Type.Object({}),
    nameOf: (entry) => String(entry.id),
    isWhole: true,
  },
  {
    section: "integrations",
    title: "integration",
    path: "/v1/integrations",
    isPaged: true,
    schema: NewIntegration,
    nameOf: integration,
    byId: true,
    fixed: ["identifier"],
    secrets: ["client_secret", "private_key", "hook_secret"],
    referable: ["client_id", "base_url", "mcp_url", "settings"],
  },
  {
    section: "custom_fields",
    title: "custom field",
    path: "/v1/custom-fields",
    schema: NewCustomField,
    nameOf: customField,
    fixed: ["record", "name", "integration_id", "connection_id"],
    pointer: { field: "integration_id", to: "integrations" },
  },
  {
    section: "webhooks",
    title: "webhook",
    path: "/v1/webhooks",
    isPaged: true,
    schema: NewWebhook,
    nameOf: named,
    byId: true,
    referable: ["url"],
  },
  {
    section: "workspace",
    title: "workspace",
    path: "/v1/workspace",
    schema: WorkspaceChange,
    nameOf: () => "",
    pointer: { field: "mcp_tool_pack_id", to: "tool_packs" },
  },
];

const entrySchema = ({ schema, byId }: Kind) =>
  byId
    ? { ...schema, properties: { id: InputText(100, "of one that exists"), ...schema.properties } }
    : (schema as object);

/** What a file may contain, by the schemas of the API. */
export const fileSchema = {
  type: "object",
  ...closed,
  properties: Object.fromEntries(
    kinds.map((kind) => [
      kind.section,
      kind.section === "workspace" ? entrySchema(kind) : { type: "array", maxItems: 1_000, items: entrySchema(kind) },
    ]),
  ),
};
