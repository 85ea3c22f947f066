import Type, { type Static } from "typebox";
import { Nullable, NullableText, Shape, Text, TextList, Timestamp } from "../../../categories/schema.ts";
import { authTypeNames } from "../../../contracts/authentication.ts";
import { MapOf } from "./schema.ts";

export const IntegrationRecord = Shape("Integration", {
  id: Text(),
  identifier: Text("The provider's id"),
  type: Text(`How its connections authenticate: ${authTypeNames.join(", ")}`),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  name: NullableText("Tells integrations of one provider apart; shown to users who choose one"),
  base_url: NullableText(
    "The address of your own server, `sandbox` for the provider's emulator, or null for the provider itself",
  ),
  mcp_url: NullableText("The address of the provider's MCP server, if it is not the default"),
  scopes: Nullable(TextList("The OAuth scopes to request; null for the provider's default")),
  client_id: NullableText("The OAuth client ID at the provider"),
  has_client_secret: Type.Boolean({ description: "Whether a client secret is stored, which is never returned" }),
  has_private_key: Type.Boolean({ description: "Whether a private key is stored, which is never returned" }),
  has_hook_secret: Type.Boolean({
    description: "Whether the secret of the provider's webhooks is stored, which is never returned",
  }),
  hook_url: NullableText(
    "The address to enter at the provider, if its webhooks belong to the application; null if connections make their own, or there are none",
  ),
  settings: MapOf<string>({ type: "string" }, "Values that are the same for all of its connections"),
  proxy_base_url: NullableText(
    "What the Proxy appends paths to; `{name}` stands for a setting of the connection. Null while it uses the emulator and the sandbox is off",
  ),
  callback_url: NullableText(
    "The redirect address to register at the provider, for types oauth2 and github_app; null for others",
  ),
});
export type IntegrationRecord = Static<typeof IntegrationRecord>;
