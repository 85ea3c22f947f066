import type { Deviation, Evidence } from "../../provider-kit/index.ts";

const NO_VALUE: Deviation = {
  violation: "/properties/* must be string",
  reason: "a property without a value is null, as in the response types of @hubspot/api-client",
};
const ERRORS: Deviation[] = [
  {
    violation: "reply */status is not described",
    reason: "every error has it: https://developers.hubspot.com/docs/api-reference/error-handling",
  },
  {
    violation: "reply 429",
    reason:
      "has the name of a limit instead of a category: https://developers.hubspot.com/docs/developer-tooling/platform/usage-guidelines",
  },
];

export default {
  descriptions: [
    {
      file: "hubspot-contacts.openapi3.json",
      format: "openapi",
      deviations: [
        NO_VALUE,
        ...ERRORS,
        {
          violation: "GET /account-info/v3/details is not described",
          reason: "another description, which was compared by hand: account-info v3 of the same collection",
        },
        {
          violation: "GET /crm/v3/properties/* is not described",
          reason: "another description; compared by hand with the class Property of @hubspot/api-client 13.5",
        },
      ],
    },
    {
      file: "hubspot-companies.openapi3.json",
      format: "openapi",
      // Every type of object has the same API: https://developers.hubspot.com/docs/guides/crm/understanding-the-crm
      standIns: { "/crm/v3/objects/deals": "/crm/v3/objects/companies" },
      deviations: [NO_VALUE, ...ERRORS],
    },
    {
      file: "hubspot-deals.openapi3.json",
      format: "openapi",
      byHand: true,
      // The description has the type's ID in the paths; both are accepted.
      // https://developers.hubspot.com/docs/guides/crm/understanding-the-crm
      standIns: { "/crm/v3/objects/deals": "/crm/v3/objects/0-3" },
      deviations: [NO_VALUE, ...ERRORS],
    },
  ],
  others: [
    {
      source: "@hubspot/api-client",
      what: "response types of the contacts, companies, deals and properties APIs, and the signature of webhooks",
    },
  ],
} satisfies Evidence;
