import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    // Before the description of records, whose paths match every module.
    {
      file: "zoho-users.openapi3.json",
      format: "openapi",
      prefix: { described: "/crm/v8" },
      deviations: [
        {
          violation: "reply 200/users/*/email must match pattern",
          reason: "the pattern fits only addresses with nine letters at a domain with five",
        },
        {
          violation: "reply 500/code must be equal to one of the allowed values",
          reason: "the code of every API: https://www.zoho.com/crm/developer/docs/api/v8/status-codes.html",
        },
      ],
    },
    {
      file: "zoho-record.openapi3.json",
      format: "openapi",
      prefix: { described: "/crm/v8" },
      deviations: [
        {
          violation: "POST /crm/v8/{module_api_name} reply 201 is not described",
          reason:
            "the status of a new record; only 200 is described: https://www.zoho.com/crm/developer/docs/api/v8/insert-records.html",
        },
        {
          violation: "GET /crm/v8/{module_api_name}/search reply 204 is not described",
          reason:
            "what a list without records is as well: https://www.zoho.com/crm/developer/docs/api/v8/status-codes.html",
        },
        ...[
          "query module is not described",
          "reply 200 must match exactly one schema in oneOf",
          "reply 200/fields is not described",
        ].map((problem) => ({
          violation: `GET /crm/v8/{module_api_name}/{id} ${problem}`,
          reason:
            "the fields of modules are described in a file of their own, and this path matches them as well: https://github.com/zoho/crm-oas, v8.0, fields.json",
        })),
        {
          violation: "reply 200/info/next_page_token must be string",
          reason:
            "null if there is no such page, as the answers in https://www.zoho.com/crm/developer/docs/api/v8/get-notes.html show",
        },
      ],
    },
  ],
  others: [
    {
      source: 'notifications.json of https://github.com/zoho/crm-oas, v8.0, and Zoho\'s page "Enable Notifications"',
      what: "webhooks: how they are made and removed and what they send, compared by hand",
    },
    {
      source: 'fields.json of https://github.com/zoho/crm-oas, v8.0, and Zoho\'s page "Fields Meta Data"',
      what: "the description of a module's fields, compared by hand",
    },
    {
      source: "users in public repositories",
      what: "recorded users, read by hand: the account. Its picture is in an example of Zoho's reference only.",
    },
  ],
} satisfies Evidence;
