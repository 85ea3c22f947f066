import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    {
      file: "hubspot-contacts.openapi3.json",
      format: "openapi",
      deviations: [
        {
          violation: "/properties/* must be string",
          reason: "a property without a value is null, as in the response types of @hubspot/api-client",
        },
        {
          violation: "reply */status is not described",
          reason: "every error has it: https://developers.hubspot.com/docs/api-reference/error-handling",
        },
        {
          violation: "contacts reply 429",
          reason:
            "has the name of a limit instead of a category: https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines",
        },
      ],
    },
  ],
  others: [{ source: "@hubspot/api-client", what: "response types of the contacts API" }],
} satisfies Evidence;
