import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    {
      file: "attio.openapi3.json",
      format: "openapi",
      prefix: { described: "/v2" },
      deviations: [
        ...["default_currency_code", "display_type"].map((field) => ({
          violation: `GET /v2/{target}/{identifier}/attributes reply 200/data/*/config/currency/${field} must be equal to one`,
          reason:
            "null for attributes that are no amounts, which the described type allows and its list of values does not",
        })),
        {
          violation: "POST /v2/objects/{object}/records reply 400/code must be equal to one of the allowed values",
          reason: "only one of the codes is described; `uniqueness_conflict`, for an email address in use, is another",
        },
      ],
    },
  ],
} satisfies Evidence;
