import Type, { type Static } from "typebox";
import { NullableText, Shape, Text, TextList } from "../../../categories/schema.ts";
import { closed, MapOf } from "./schema.ts";

export const ProviderRecord = Shape("Provider", {
  id: Text(),
  name: Text(),
  docs: Text("The provider's API reference"),
  auth_types: Type.Array(Text()),
  categories: Type.Array(Text()),
  operations: Type.Array(Text(), { description: "The supported operations, such as git.listIssues" }),
  fields: MapOf<readonly string[]>(
    { type: "array", items: { type: "string" } },
    "The fields of the records that ever have a value in the sandbox, by operation. Others are always null",
  ),
  settings: Type.Array(
    Type.Object(
      { name: Text(), label: Text(), hint: NullableText(), placeholder: NullableText(), pattern: Text() },
      closed,
    ),
    { description: "Per-account values that a connection needs" },
  ),
  base_urls: MapOf<string>(
    { type: "string" },
    "What the Proxy appends paths to, by auth type. `{name}` stands for a setting, `{base_url}` for the integration's",
  ),
  setup: MapOf<{ url: string | null; steps: string[]; scopes: string[] }>(
    Type.Object(
      {
        url: NullableText("The page of the provider"),
        steps: TextList("What to do there, as Markdown"),
        scopes: TextList("The OAuth scopes that are requested unless the integration has its own"),
      },
      closed,
    ),
    "What to create at the provider, by auth type: an OAuth application, or the user's key",
  ),
  self_hosted_only: Type.Boolean({ description: "Whether integrations require a base_url" }),
  mcp: Type.Boolean({
    description: "Whether the provider has an MCP server that accepts the credentials of a connection",
  }),
});
export type ProviderRecord = Static<typeof ProviderRecord>;
