import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    {
      file: "slack.swagger2.json",
      format: "openapi",
      deviations: [
        {
          violation: "GET /conversations.history reply 200/messages/*/attachments/*",
          reason:
            "the description has only fallback and image: https://docs.slack.dev/legacy/legacy-messaging/legacy-secondary-message-attachments",
        },
        {
          violation: "GET /users.info query token is missing",
          reason: "the token is sent in a header: https://docs.slack.dev/authentication/tokens",
        },
        {
          violation: "GET /conversations.history reply 200 must NOT have additional properties",
          reason: "the cursor is newer than the description: https://docs.slack.dev/apis/web-api/pagination",
        },
        {
          violation: "GET /conversations.history reply 200/response_metadata is not described",
          reason: "the cursor is newer than the description: https://docs.slack.dev/apis/web-api/pagination",
        },
        {
          violation: "needs the scopes",
          reason:
            "the description lists the scopes of every kind of conversation, of which one is enough, by older names: https://docs.slack.dev/reference/methods/conversations.list",
        },
        {
          violation: "reply 403",
          reason:
            "any method may return missing_scope, with the needed and provided scopes: https://docs.slack.dev/reference/methods/users.list#errors",
        },
        {
          violation: "reply 404/error",
          reason: "an injected fault, with an error that methods without a channel do not have",
        },
        {
          violation: "reply 429/error",
          reason: "the error is ratelimited, for every method: https://docs.slack.dev/apis/web-api/rate-limits",
        },
        {
          violation: "reply 50*/error",
          reason:
            "internal_error and service_unavailable are newer: https://docs.slack.dev/reference/methods/users.list#errors",
        },
      ],
    },
  ],
  others: [{ source: "@slack/web-api", what: "answer types; its client also runs against the emulator" }],
} satisfies Evidence;
