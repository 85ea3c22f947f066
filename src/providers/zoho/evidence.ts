import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    {
      file: "zoho-record.openapi3.json",
      format: "openapi",
      prefix: { described: "/crm/v8" },
      deviations: [
        ...["next_page_token", "previous_page_token", "page_token_expiry"].map((name) => ({
          violation: `reply 200/info/${name} must be string`,
          reason:
            "null if there is no such page, as the answers in https://www.zoho.com/crm/developer/docs/api/v8/get-notes.html show",
        })),
      ],
    },
  ],
} satisfies Evidence;
