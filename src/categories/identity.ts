import type { Static } from "typebox";
import { category, one } from "./define.ts";
import { NullableText, Shape } from "./schema.ts";

export const Account = Shape("Account", {
  id: NullableText("ID of the user, or of the workspace, company or bot that the token belongs to"),
  name: NullableText(),
  email: NullableText("Email address"),
  avatar_url: NullableText("Address of a picture"),
});
export type Account = Static<typeof Account>;

export const identity = category(
  "identity",
  "Identity",
  {},
  {
    getMe: one("/me", Account, "Get the account that the connection belongs to", {
      description: "Who the connection acts as.",
    }),
  },
  { prefix: "" },
);
