import type { Static } from "typebox";
import { Shape, Text, Timestamp } from "../../../categories/schema.ts";

export const ConnectSessionRecord = Shape("ConnectSession", {
  id: Text(),
  url: Text("The page to open in the user's browser. Whoever has it can connect an account as this user"),
  expires_at: Timestamp(),
});
export type ConnectSessionRecord = Static<typeof ConnectSessionRecord>;
