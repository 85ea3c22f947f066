import type { Evidence } from "../../provider-kit/index.ts";

const reason =
  "the description predates OAuth 2.0, which sends the token in a header: https://developer.atlassian.com/cloud/trello/guides/rest-api/oauth-2-getting-started/";

const CUSTOM_FIELDS =
  "newer than the description: https://developer.atlassian.com/cloud/trello/guides/rest-api/getting-started-with-custom-fields/";

export default {
  descriptions: [
    {
      file: "trello.openapi3.yaml",
      format: "openapi",
      deviations: [
        { violation: "query key is missing", reason },
        { violation: "query token is missing", reason },
        { violation: "PUT /cards/*/customField/*/item is not described", reason: CUSTOM_FIELDS },
        { violation: "query customFieldItems is not described", reason: CUSTOM_FIELDS },
        {
          violation: "GET /search query idOrganizations is missing",
          reason: "optional: https://developer.atlassian.com/cloud/trello/rest/api-group-search/#api-search-get",
        },
      ],
    },
  ],
  others: [
    {
      source: "https://developer.atlassian.com/cloud/trello/swagger.v3.json",
      what: "custom fields of boards and cards, compared by hand: paths, fields and the bodies of writes",
    },
    { source: "answers of /members/me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
