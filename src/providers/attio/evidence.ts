import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    {
      file: "attio.openapi3.json",
      format: "openapi",
      prefix: { described: "/v2" },
      deviations: [
        {
          violation: "POST /v2/objects/{object}/records reply 400/code must be equal to one of the allowed values",
          reason: "only one of the codes is described; `uniqueness_conflict`, for an email address in use, is another",
        },
      ],
    },
  ],
} satisfies Evidence;
