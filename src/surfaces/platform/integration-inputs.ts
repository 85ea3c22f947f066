import Type from "typebox";
import { Nullable } from "../../categories/schema.ts";
import { type AuthType, authTypeNames } from "../../contracts/authentication.ts";
import type { Integration } from "../../contracts/entities.ts";
import { closed, MapOf } from "../shared/platform-records/schema.ts";
import { CursorPaging, InputText, Scopes } from "./schemas.ts";

export const ListIntegrations = Type.Object({
  ...CursorPaging,
  status: Type.Optional(Type.Unknown({ description: "Accepted and ignored" })),
});

const AuthTypes = Type.Unsafe<AuthType>({ type: "string", enum: [...authTypeNames] });

const integrationFields = {
  name: Type.Optional(
    Nullable(InputText(100, "tells integrations of one provider apart; shown to users who choose one")),
  ),
  client_id: Type.Optional(Nullable(InputText(2_000, "the OAuth client ID at the provider"))),
  client_secret: Type.Optional(Nullable(InputText(10_000, "the OAuth client secret; never returned"))),
  private_key: Type.Optional(
    Nullable(InputText(10_000, "the private key of an app that signs its own tokens, in PEM format; never returned")),
  ),
  hook_secret: Type.Optional(
    Nullable(
      InputText(
        2_000,
        "what the provider signs its webhooks with, where it has to be entered; several are separated by spaces; never returned",
      ),
    ),
  ),
  settings: Type.Optional(
    MapOf<string>(
      InputText(500, "a setting"),
      "Values that are the same for all connections: the provider's settings that are set by the integration",
      { maxProperties: 50 },
    ),
  ),
  scopes: Type.Optional(Nullable(Scopes("OAuth scopes to request; null for the provider's default"))),
  base_url: Type.Optional(
    Nullable(
      InputText(
        2_000,
        "the address of your own server; `sandbox` for the provider's emulator, while the sandbox is on; null for the provider itself",
      ),
    ),
  ),
  mcp_url: Type.Optional(
    Nullable(
      InputText(
        2_000,
        "the address of the provider's MCP server, if it is not the default; required for the provider that is any MCP server",
      ),
    ),
  ),
};

export const NewIntegration = Type.Object(
  { identifier: InputText(100, "a provider's id"), type: AuthTypes, ...integrationFields },
  { title: "NewIntegration", ...closed },
);

export const IntegrationChange = Type.Object(
  { type: Type.Optional(AuthTypes), ...integrationFields },
  { title: "IntegrationChange", ...closed },
);

export type ChangedIntegration = Partial<
  Omit<Integration, "id" | "workspace_id" | "identifier" | "created_at" | "updated_at">
>;

/** What a change may set. */
export const changeableFields = Object.keys(IntegrationChange.properties) as (keyof ChangedIntegration)[];
