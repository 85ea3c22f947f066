import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    {
      file: "discord.openapi3.json",
      format: "openapi",
      deviations: [
        {
          violation: "reply 429 must have required property 'code'",
          reason: "only some rate limits have a code: https://docs.discord.com/developers/topics/rate-limits",
        },
        {
          violation: "message_reference/type must",
          reason:
            "the description lacks forwards: https://docs.discord.com/developers/resources/message#message-reference-types",
        },
      ],
    },
  ],
  others: [
    { source: "answers of /users/@me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
