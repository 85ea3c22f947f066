import type { Evidence } from "../../provider-kit/index.ts";

const reason = "newer than the description: https://developer.atlassian.com/changelog/#CHANGE-2046";

export default {
  descriptions: [
    {
      file: "jira-v3.openapi3.yaml",
      format: "openapi",
      prefix: { described: "/rest/api/3" },
      deviations: [
        { violation: "search/jql reply 200/isLast is not described", reason },
        { violation: "search/jql reply 200 must NOT have additional properties", reason: `isLast is ${reason}` },
      ],
    },
  ],
} satisfies Evidence;
