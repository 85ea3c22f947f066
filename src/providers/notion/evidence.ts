import type { Evidence } from "../../provider-kit/index.ts";

const PARENT = "a new page names its data source since 2025-09-03: https://developers.notion.com/reference/post-page";
const SORTS = "https://developers.notion.com/reference/sort-data-source-entries";

export default {
  descriptions: [
    {
      file: "notion.openapi3.json",
      format: "openapi",
      prefix: { described: "/v1" },
      deviations: [
        { violation: "POST /v1/pages body/parent must", reason: PARENT },
        { violation: "POST /v1/pages body/parent/type must be equal to constant", reason: PARENT },
        { violation: "POST /v1/pages body/parent/data_source_id is not described", reason: PARENT },
        {
          violation: "POST /v1/comments body/rich_text/*/text/link is not described",
          reason: "the same rich text as everywhere else: https://developers.notion.com/reference/create-a-comment",
        },
        { violation: "body/sorts/* must have required property 'property'", reason: `a time sorts as well: ${SORTS}` },
        { violation: "body/sorts/*/timestamp is not described", reason: `a time sorts as well: ${SORTS}` },
        {
          violation: "/bot/workspace_* is not described",
          reason: "sent by the real API: https://developers.notion.com/reference/user#bots",
        },
        {
          violation: "/request_id is not described",
          reason: "in every response of the real API: https://developers.notion.com/reference/status-codes",
        },
      ],
    },
  ],
  others: [
    { source: "answers of /users/me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
