import type { Evidence } from "../../provider-kit/index.ts";

const part = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** A ticket with what `include=requester` adds. */
const TICKET = { allOf: [part("Ticket"), { type: "object", properties: { requester: part("Contact") } }] };

export default {
  descriptions: [
    {
      file: "freshdesk-unofficial.openapi3.yaml",
      format: "openapi",
      replies: {
        "GET /tickets 200": { type: "array", items: TICKET },
        "GET /tickets/{ticket_id} 200": TICKET,
      },
      deviations: [
        {
          violation: "GET /tickets query include must be equal to one of the allowed values",
          reason: "several are separated by commas: https://developers.freshdesk.com/api/#list_all_tickets",
        },
        {
          violation: "status must be equal to one of the allowed values",
          reason: "an account may have statuses of its own: https://developers.freshdesk.com/api/#ticket-properties",
        },
        {
          violation: "GET /tickets reply 200/*/subject must be string",
          reason: "a ticket of a call or a chat may have none; the description is not Freshdesk's own",
        },
        {
          violation: "email must be string",
          reason: "null for a caller without an email address; the description says so of phone and mobile only",
        },
        ...["code", "message"].map((field) => ({
          violation: `reply 401/${field} is not described`,
          reason: "the form of errors that do not belong to a field: https://developers.freshdesk.com/api/#error",
        })),
        {
          violation: "POST /tickets body/name is not described",
          reason: "the name of a new requester: https://developers.freshdesk.com/api/#create_ticket",
        },
      ],
    },
  ],
  others: [
    {
      source: "freshdesk-unofficial.openapi3.yaml",
      what: "unofficial, made from Freshdesk's documentation, because Freshdesk publishes no description",
    },
  ],
} satisfies Evidence;
