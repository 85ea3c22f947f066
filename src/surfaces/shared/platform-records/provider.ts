import Type, { type Static } from "typebox";
import { Nullable, NullableText, NullableTimestamp, OneOf, Shape, Text, TextList } from "../../../categories/schema.ts";
import { providerOrigins } from "../../../contracts/provider.ts";
import { closed, MapOf } from "./schema.ts";

const fields = {
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
      {
        name: Text(),
        label: Text(),
        hint: NullableText(),
        placeholder: NullableText(),
        pattern: Text(),
        choices: Nullable(TextList("The possible values, if there are few")),
        set_by: Text("user, or integration: then it is a setting of the integration"),
        optional: Type.Boolean({ description: "Whether there need not be a value" }),
        auth_types: TextList("The auth types with which it is asked for"),
      },
      closed,
    ),
    { description: "Per-account values that a connection needs, and values that an integration needs" },
  ),
  base_urls: MapOf<string>(
    { type: "string" },
    "What the Proxy appends paths to, by auth type. `{name}` stands for a setting, `{base_url}` for the integration's",
  ),
  setup: MapOf<{
    url: string | null;
    steps: string[];
    scopes: string[];
    needs: string[];
    takes: string[];
    webhooks: {
      per: "connection" | "application" | "none";
      note: string | null;
      steps: string[];
      sends_secret: boolean;
      lists: string[];
    };
  }>(
    Type.Object(
      {
        url: NullableText("The page of the provider"),
        steps: TextList("What to do there, as Markdown"),
        scopes: TextList("The OAuth scopes that are requested unless the integration has its own"),
        needs: TextList("The integration's fields that are required, such as client_id"),
        takes: TextList("The integration's fields that may be set besides"),
        webhooks: Type.Object(
          {
            per: OneOf(
              ["connection", "application", "none"],
              "Who makes the provider's webhooks: each connection by itself, you for the whole application, or nobody",
            ),
            note: NullableText("What a connection needs for them, or why there are none"),
            steps: TextList("What to do at the provider, as Markdown, if they belong to the application"),
            sends_secret: Type.Boolean({
              description: "Whether the provider sends their secret to the address, and wants to see it again",
            }),
            lists: TextList("The operations whose subscriptions they start"),
          },
          { ...closed, description: "The provider's own webhooks, which start subscriptions" },
        ),
      },
      closed,
    ),
    "What to create at the provider, by auth type: an OAuth application, or the user's key",
  ),
  self_hosted_only: Type.Boolean({ description: "Whether integrations require a base_url" }),
  mcp_only: Type.Boolean({
    description: "Whether it is any MCP server: integrations require an mcp_url, and there are no operations",
  }),
  mcp: Type.Boolean({
    description: "Whether the provider has an MCP server that accepts the credentials of a connection",
  }),
  origin: OneOf(providerOrigins, "Where it comes from: code, the catalogue, or a document of the workspace"),
  subjects: TextList("What it is about, such as payments, if it has no operations"),
};

export const ProviderRecord = Shape("Provider", fields);
export type ProviderRecord = Static<typeof ProviderRecord>;

export const ProviderDetails = Shape("ProviderDetails", {
  ...fields,
  document: Type.Unsafe<object | null>({
    type: ["object", "null"],
    additionalProperties: true,
    description: "The document that it is made from; null for code",
  }),
  created_at: NullableTimestamp("Null unless it is the workspace's own"),
  updated_at: NullableTimestamp("Null unless it is the workspace's own"),
});
export type ProviderDetails = Static<typeof ProviderDetails>;
