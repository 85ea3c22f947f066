import type { Evidence } from "../../provider-kit/index.ts";

const part = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A response with the side-loaded users and, for a list, with what cursor pagination adds. */
const withUsers = (response: string, properties: Record<string, object> = {}) => ({
  allOf: [
    part(response),
    { type: "object", properties: { users: { type: "array", items: part("UserObject") }, ...properties } },
  ],
});

/** Described for the lists of one resource only, although all lists have it. */
const PAGING = {
  meta: part("CustomObjectRecordsResponse/properties/meta"),
  links: part("CustomObjectRecordsResponse/properties/links"),
};

/** The audit is described for updates only, and its events fully for the list of audits. */
const WRITTEN = {
  type: "object",
  properties: { ticket: part("TicketObject"), audit: part("TicketAuditObject") },
};

const FOUND = { allOf: [part("TicketObject"), part("SearchResultObject")] };

const nullable =
  "null if the ticket has none; the description says so of few fields only, and its own examples have null in others";

export default {
  descriptions: [
    {
      file: "zendesk.openapi3.yaml",
      format: "openapi",
      prefix: { described: "/api/v2" },
      replies: {
        "GET /api/v2/tickets 200": withUsers("TicketsResponse", PAGING),
        // Described for results of any kind, which tickets are not.
        "GET /api/v2/search 200": withUsers("SearchResponse", { results: { type: "array", items: FOUND } }),
        "GET /api/v2/tickets/{ticket_id} 200": withUsers("TicketResponse"),
        "POST /api/v2/tickets 201": WRITTEN,
        "PUT /api/v2/tickets/{ticket_id} 200": WRITTEN,
        "GET /api/v2/tickets/{ticket_id}/comments 200": withUsers("TicketCommentsResponse", PAGING),
        "GET /api/v2/users 200": withUsers("UsersResponse", PAGING),
      },
      deviations: [
        ...["page[size]", "page[after]"].map((name) => ({
          violation: `query ${name} is not described`,
          reason:
            "left out of most lists in the description: https://developer.zendesk.com/api-reference/introduction/pagination/#using-cursor-pagination",
        })),
        {
          violation: "GET /api/v2/tickets* query include is not described",
          reason:
            "described for comments only: https://developer.zendesk.com/documentation/ticketing/using-the-zendesk-api/side_loading/",
        },
        ...["include", "page", "per_page"].map((name) => ({
          violation: `GET /api/v2/search query ${name} is not described`,
          reason:
            "described in text only: https://developer.zendesk.com/api-reference/ticketing/ticket-management/search/#results-limit",
        })),
        {
          violation: "POST /api/v2/tickets body/ticket/requester is not described",
          reason:
            "https://developer.zendesk.com/documentation/ticketing/managing-tickets/creating-and-updating-tickets/#creating-a-ticket-with-a-new-requester",
        },
        ...["assignee_id must be integer", "priority must be *", "type must be *", "subject must be string"].map(
          (problem) => ({ violation: `reply 20*/ticket*/${problem}`, reason: nullable }),
        ),
        ...["assignee_id must be integer", "priority must be *", "type must be *", "subject must be string"].map(
          (problem) => ({ violation: `reply 200/results/*/${problem}`, reason: nullable }),
        ),
        ...["ticket", "tickets/*", "results/*"].map((item) => ({
          violation: `reply 20*/${item}/custom_fields/*/value must be string`,
          reason:
            "described as text only, but a checkbox has a boolean, a multi-select a list, and a field without a value null: https://developer.zendesk.com/documentation/ticketing/managing-tickets/creating-and-updating-tickets/#setting-custom-field-values",
        })),
        {
          violation: "/api/v2/tickets* body/ticket/custom_fields/*",
          reason:
            "the description refers to the definition of a field in place of its value: https://developer.zendesk.com/documentation/ticketing/managing-tickets/creating-and-updating-tickets/#setting-custom-field-values",
        },
        ...["/email must be string", "/photo must be object", " must match a schema in anyOf"].map((problem) => ({
          violation: `reply 200/users/*${problem}`,
          reason: "a user without an email address, as after a call, has null, which neither alternative allows",
        })),
      ],
    },
  ],
  others: [
    {
      source:
        "Zendesk's reference of webhooks, https://developer.zendesk.com/api-reference/webhooks/webhooks-api/webhooks/",
      what: "webhooks, which the description lacks: how they are made and removed, types and fields of events, signature; read by hand",
    },
  ],
} satisfies Evidence;
