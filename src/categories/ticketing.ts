import type { Static } from "typebox";
import { category, list } from "./define.ts";
import { NullableText, Shape, Text, Timestamp } from "./schema.ts";

export const Ticket = Shape("Ticket", {
  id: Text(),
  title: Text(),
  status: Text("The status, as the provider names it"),
  url: Text(),
  description: NullableText(),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
export type Ticket = Static<typeof Ticket>;

export const ticketing = category(
  "ticketing",
  "Ticketing",
  {},
  {
    listTickets: list("/tickets", Ticket, "List tickets"),
  },
);
