import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    {
      file: "slack.swagger2.json",
      format: "openapi",
      deviations: [
        {
          violation: "GET /conversations.history reply 200 must NOT have additional properties",
          reason: "the cursor came after the description: https://docs.slack.dev/apis/web-api/pagination",
        },
        {
          violation: "GET /conversations.history reply 200/response_metadata is not described",
          reason: "likewise",
        },
        {
          violation: "reply 403",
          reason:
            "any method may answer missing_scope, with what is needed and provided: https://docs.slack.dev/reference/methods/users.list#errors",
        },
        {
          violation: "reply 404/error",
          reason: "a fault on order, of a kind that methods without a channel do not have",
        },
        {
          violation: "reply 429/error",
          reason: "the word is ratelimited, for every method: https://docs.slack.dev/apis/web-api/rate-limits",
        },
        {
          violation: "reply 50*/error",
          reason:
            "internal_error and service_unavailable came later: https://docs.slack.dev/reference/methods/users.list#errors",
        },
      ],
    },
  ],
  others: [{ source: "@slack/web-api", what: "answer types; its client also runs against the emulator" }],
} satisfies Evidence;
