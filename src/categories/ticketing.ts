import type { Static } from "typebox";
import { category, list, one } from "./define.ts";
import { NullableText, Shape, Text, Timestamp } from "./schema.ts";

export const Ticket = Shape("Ticket", {
  id: Text(),
  title: Text(),
  status: Text("The status, as the provider names it"),
  url: Text(),
  description: NullableText("In Markdown"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
export type Ticket = Static<typeof Ticket>;

export const Project = Shape("Project", {
  id: Text(),
  name: Text(),
  description: NullableText("In Markdown"),
  url: NullableText("Page of the project"),
});
export type Project = Static<typeof Project>;

/** Task trackers and help desks alike, as far as their tickets have the same fields. */
export const ticketing = category(
  "ticketing",
  "Ticketing",
  {
    ticket_id: {
      description: "ID of the ticket, as returned by the list of tickets",
      source: { operation: "listTickets", field: "id" },
    },
  },
  {
    listTickets: list("/tickets", Ticket, "List tickets"),
    getTicket: one("/tickets/:ticket_id", Ticket, "Get a ticket"),
    listProjects: list("/projects", Project, "List projects"),
  },
);
