import type { Evidence } from "../../contracts/description.ts";

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
      ],
    },
  ],
  others: [{ source: "@slack/web-api", what: "answer types; its client also runs against the emulator" }],
} satisfies Evidence;
