import Type, { type Static } from "typebox";
import { category, create, list, one, update } from "./define.ts";
import { assigneeId, fullText, requester, statusCategory } from "./filters.ts";
import {
  Body,
  Given,
  GivenList,
  GivenText,
  Nullable,
  NullablePerson,
  NullableText,
  NullableTimestamp,
  OneOf,
  Shape,
  Text,
  TextList,
  Timestamp,
} from "./schema.ts";

const STATUS_CATEGORIES = ["open", "pending", "solved", "closed"] as const;

export const HelpdeskTicket = Shape("HelpdeskTicket", {
  id: Text(),
  subject: NullableText(),
  description: NullableText("The first message, in Markdown"),
  status: Text("The status, as the provider names it"),
  status_category: OneOf(STATUS_CATEGORIES, "What the status means"),
  priority: NullableText("The priority, as the provider names it"),
  requester: Nullable(
    Type.Object(
      { id: NullableText(), name: NullableText(), email: NullableText() },
      { additionalProperties: false, description: "Who needs help" },
    ),
  ),
  assignee: NullablePerson("The agent who handles it"),
  tags: TextList(),
  url: Text("Page of the ticket for agents"),
  created_at: Timestamp(),
  updated_at: Timestamp(),
});
export type HelpdeskTicket = Static<typeof HelpdeskTicket>;

export const HelpdeskComment = Shape("HelpdeskComment", {
  id: Text(),
  text: NullableText("The comment, in Markdown"),
  is_public: Type.Boolean({ description: "False for a note that only agents see" }),
  author: NullablePerson(),
  created_at: NullableTimestamp(),
});
export type HelpdeskComment = Static<typeof HelpdeskComment>;

export const Customer = Shape("Customer", {
  id: Text(),
  name: NullableText(),
  email: NullableText("Email address"),
});
export type Customer = Static<typeof Customer>;

const NewTicket = Body({
  subject: Given(255, "One line"),
  description: GivenText("The first message, in Markdown"),
  requester: Body({
    email: Type.String({ format: "email", maxLength: 255, description: "Email address" }),
    name: Type.Optional(Given(255, "For a requester who is new at the provider")),
  }),
  priority: Type.Optional(Given(255, "The priority, as the provider names it")),
  tags: Type.Optional(GivenList("Tags")),
});

const TicketChange = Body(
  {
    status: Type.Optional(Given(255, "The status, as the provider names it")),
    priority: Type.Optional(Given(255, "The priority, as the provider names it")),
    assignee_id: Type.Optional(Given(255, "ID of an agent")),
    tags: Type.Optional(GivenList("Tags: exactly these")),
  },
  { minProperties: 1 },
);

const NewComment = Body({
  text: GivenText("The comment, in Markdown"),
  is_public: Type.Optional(Type.Boolean({ default: true, description: "False for a note that only agents see" })),
});

export const helpdesk = category(
  "helpdesk",
  "Helpdesk",
  {
    ticket_id: {
      description: "ID of the ticket, as returned by the list of tickets",
      source: { operation: "listTickets", field: "id" },
    },
  },
  {
    listTickets: list("/tickets", HelpdeskTicket, "List tickets", {
      filters: {
        status_category: statusCategory(STATUS_CATEGORIES),
        assignee_id: assigneeId,
        requester,
        query: fullText,
      },
    }),
    getTicket: one("/tickets/:ticket_id", HelpdeskTicket, "Get a ticket"),
    listComments: list("/tickets/:ticket_id/comments", HelpdeskComment, "List a ticket's comments"),
    createTicket: create("/tickets", NewTicket, HelpdeskTicket, "Create a ticket", {
      sample: {
        subject: "Größe falsch",
        description: "It says **too large**, see [the picture](https://example.com/p).",
        requester: { email: "zoe@example.com", name: "Zoë" },
      },
    }),
    updateTicket: update("/tickets/:ticket_id", TicketChange, HelpdeskTicket, "Change a ticket", {
      sample: { tags: ["größe", "upload"] },
      description: "Fields that are left out stay as they are.",
    }),
    createComment: create("/tickets/:ticket_id/comments", NewComment, HelpdeskComment, "Comment on a ticket", {
      sample: { text: "We are *on it* 🔧", is_public: false },
    }),
    listCustomers: list("/customers", Customer, "List customers"),
  },
);
