import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    {
      file: "intercom.openapi3.yaml",
      format: "openapi",
      deviations: [
        {
          violation: "POST /tickets/search body/sort is not described",
          reason:
            "left out of every search in the description: https://github.com/intercom/Intercom-OpenAPI/issues/114",
        },
        ...["per_page", "starting_after"].map((name) => ({
          violation: `GET /contacts query ${name} is not described`,
          reason:
            "described in its text only: https://developers.intercom.com/docs/build-an-integration/learn-more/rest-apis/pagination/",
        })),
        {
          violation: "GET /ticket_types reply 200/data/*/ticket_type_attributes/data is not described",
          reason: "what the description's own example of ticket types has, in place of ticket_type_attributes",
        },
        {
          violation: "GET /contacts reply 200/data/*/email must be string",
          reason: "null for a lead without an email address, as name and phone are",
        },
      ],
    },
  ],
  others: [
    {
      source: "Intercom's pages on webhooks, https://developers.intercom.com/docs/webhooks",
      what: "notifications, topics and signature of webhooks, read by hand",
    },
    {
      source: "tickets in public repositories",
      what: "recorded answers, read by hand: replies in parts that also assign or close a ticket",
    },
  ],
} satisfies Evidence;
