import type { Evidence } from "../../contracts/evidence.ts";

const reason = "added with search/jql: https://developer.atlassian.com/changelog/#CHANGE-2046";

export default {
  descriptions: [
    {
      file: "jira.openapi3.yaml",
      format: "openapi",
      prefix: { described: "/rest/api/3" },
      // The description predates search/jql, which has replaced the search it describes. Issues are the same in both.
      standIns: { "/rest/api/3/search/jql": "/rest/api/3/search" },
      deviations: [
        { violation: "query nextPageToken is not described", reason },
        { violation: "reply 200/nextPageToken is not described", reason },
        { violation: "reply 200/isLast is not described", reason },
        { violation: "reply 200 must NOT have additional properties", reason: "nextPageToken and isLast, as above" },
      ],
    },
    // The newer description includes search/jql.
    { file: "jira-v3.openapi3.json", format: "openapi", byHand: true, prefix: { described: "/rest/api/3" } },
  ],
} satisfies Evidence;
