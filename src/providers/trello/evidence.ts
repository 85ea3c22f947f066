import type { Evidence } from "../../provider-kit/index.ts";

const reason =
  "the description predates OAuth 2.0, which sends the token in a header: https://developer.atlassian.com/cloud/trello/guides/rest-api/oauth-2-getting-started/";

export default {
  descriptions: [
    {
      file: "trello.openapi3.yaml",
      format: "openapi",
      deviations: [
        { violation: "query key is missing", reason },
        { violation: "query token is missing", reason },
        {
          violation: "GET /search query idOrganizations is missing",
          reason: "optional: https://developer.atlassian.com/cloud/trello/rest/api-group-search/#api-search-get",
        },
      ],
    },
  ],
  others: [
    { source: "answers of /members/me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
