import Type, { type Static } from "typebox";
import { Nullable } from "../../categories/schema.ts";
import { Metadata } from "../shared/platform-records/connection.ts";
import { closed, MapOf } from "../shared/platform-records/schema.ts";
import { CursorPaging, Filter, InputText } from "./schemas.ts";

export const ListConnections = Type.Object({
  ...CursorPaging,
  integration_id: Filter("only connections of this integration"),
  integration_identifier: Filter("only connections to this provider, whichever of its integrations they belong to"),
  external_id: Filter("only connections with this external id"),
  is_valid: Type.Optional(Type.Boolean({ description: "Only connections that are valid, or only those that are not" })),
  metadata: Type.Optional(
    MapOf<string>(
      { type: "string", maxLength: 1_000 },
      "Only connections with these values at the top level of their metadata: `metadata[plan]=pro`. A number or a boolean matches as JSON writes it",
      { maxProperties: 10 },
    ),
  ),
});

export const ExternalId = Type.Optional(Nullable(InputText(255, "your ID for the connected user")));

/** A string that is sent in a header unchanged. */
const HEADER_TEXT = "^[!-~]([ -~]*[!-~])?$";
const HeaderText = (description: string) =>
  Type.String({ minLength: 1, maxLength: 10_000, pattern: HEADER_TEXT, description });
export const isHeaderText = (text: string): boolean => new RegExp(HEADER_TEXT).test(text);

/** Ten years, longer than any token is valid. */
const MAX_LIFETIME_SECONDS = 315_360_000;

export const NewConnection = Type.Object(
  {
    integration_id: InputText(100, "the id of an integration of this workspace"),
    auth_token: Type.Optional(
      InputText(
        10_000,
        "an access token or an API key, in printable ASCII, or the private key that tokens are made with",
      ),
    ),
    username: Type.Optional(
      Type.String({ minLength: 1, maxLength: 500, pattern: "^[^\\u0000-\\u001f:]*$", description: "without a colon" }),
    ),
    password: Type.Optional(InputText(10_000, "may be empty", 0)),
    refresh_token: Type.Optional(Nullable(HeaderText("in printable ASCII"))),
    expires_in: Type.Optional(
      Nullable(
        Type.Integer({
          minimum: 0,
          maximum: MAX_LIFETIME_SECONDS,
          description: "Seconds until the access token expires",
        }),
      ),
    ),
    external_id: ExternalId,
    metadata: Type.Optional(Metadata),
    settings: Type.Optional(
      MapOf<string>(InputText(500, "a setting"), "Per-account values: see the provider's settings", {
        maxProperties: 50,
      }),
    ),
  },
  { title: "NewConnection", ...closed },
);
export type NewConnection = Static<typeof NewConnection>;

export const ConnectionChange = Type.Object(
  { external_id: ExternalId, metadata: Type.Optional(Metadata) },
  { title: "ConnectionChange", ...closed },
);
