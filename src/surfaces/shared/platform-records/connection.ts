import Type, { type Static } from "typebox";
import { Nullable, NullableText, NullableTimestamp, Shape, Text, Timestamp } from "../../../categories/schema.ts";
import { closed, MapOf } from "./schema.ts";

export const Metadata = Type.Unsafe<Record<string, unknown> | null>({
  type: ["object", "null"],
  additionalProperties: true,
  description: "Your own data, up to 16 kB of JSON",
});

export const ConnectionRecord = Shape("Connection", {
  id: Text(),
  external_id: NullableText("Your ID for the connected user"),
  integration_id: Text(),
  integration_identifier: Text("The provider's id"),
  is_valid: Type.Boolean({
    description:
      "False after the provider refused to refresh the token, or if the stored credentials cannot be decrypted: the user has to connect again",
  }),
  expires_at: NullableTimestamp("When the access token expires; null if it does not"),
  refreshed_at: NullableTimestamp("When the access token was last refreshed"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
  invalid_reason: NullableText("Why the connection is invalid; null while it is valid"),
  metadata: Metadata,
  settings: MapOf<string>({ type: "string" }, "Per-account values, such as a subdomain: see the provider's settings"),
  account: Nullable(
    Type.Object(
      { id: NullableText(), name: NullableText(), email: NullableText() },
      {
        ...closed,
        description:
          "Whose account it is, read from the provider whenever the account is connected. Null if the provider does not say, or did not answer in time",
      },
    ),
  ),
});
export type ConnectionRecord = Static<typeof ConnectionRecord>;
