import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [
    {
      file: "jira.openapi3.yaml",
      format: "openapi",
      prefix: { described: "/rest/api/3" },
      // The description is older than the search that is now the only one; issues are the same in both.
      standIns: { "/rest/api/3/search/jql": "/rest/api/3/search" },
      deviations: [
        {
          violation: "query nextPageToken is not described",
          reason: "came with search/jql: https://developer.atlassian.com/changelog/#CHANGE-2046",
        },
        { violation: "reply 200/nextPageToken is not described", reason: "likewise" },
        { violation: "reply 200/isLast is not described", reason: "likewise" },
        { violation: "reply 200 must NOT have additional properties", reason: "those two" },
      ],
    },
    // The newer one has the search itself.
    { file: "jira-v3.openapi3.json", format: "openapi", byHand: true, prefix: { described: "/rest/api/3" } },
  ],
} satisfies Evidence;
