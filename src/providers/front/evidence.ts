import type { Evidence } from "../../provider-kit/index.ts";

const nullable = "null if there is none; the description's own examples have null there";

export default {
  descriptions: [
    {
      file: "front.openapi3.json",
      format: "openapi",
      deviations: [
        ...[
          "must have required property 'license_type'",
          "assignee must match a schema in anyOf",
          "assignee must be null",
        ].map((violation) => ({ violation, reason: "`license_type` is required of a teammate, but not described" })),
        { violation: "/messages* reply 200/*author must be object", reason: nullable },
        {
          violation: "GET /tags reply 200/_pagination is not described",
          reason:
            "the list has the parameter `page_token`, which comes from there: https://dev.frontapp.com/docs/pagination",
        },
        { violation: "GET /contacts reply 200/_results/*/name must be string", reason: nullable },
      ],
    },
  ],
  others: [
    {
      source: "Front's page on application webhooks, https://dev.frontapp.com/docs/application-webhooks",
      what: "events, challenge and signature of webhooks, read by hand",
    },
  ],
} satisfies Evidence;
