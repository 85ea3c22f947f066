import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    {
      file: "bitbucket.openapi3.yaml",
      format: "openapi",
      deviations: [
        {
          violation: "GET /user/workspaces is not described",
          reason:
            "replaces lists that the description still has: https://developer.atlassian.com/cloud/bitbucket/changelog/#CHANGE-3022",
        },
        {
          violation: "query page is not described",
          reason: "every list accepts it: https://developer.atlassian.com/cloud/bitbucket/rest/intro/#pagination",
        },
        {
          violation: "query pagelen is not described",
          reason: "every list accepts it: https://developer.atlassian.com/cloud/bitbucket/rest/intro/#pagination",
        },
        {
          violation: "/commits query include is not described",
          reason:
            "named in the path's own text: https://developer.atlassian.com/cloud/bitbucket/rest/api-group-commits/",
        },
        {
          violation: "/pullrequests query q is not described",
          reason: "named in the path's own text: https://developer.atlassian.com/cloud/bitbucket/rest/intro/#filtering",
        },
        {
          violation: "/pullrequests query fields is not described",
          reason: "every path accepts it: https://developer.atlassian.com/cloud/bitbucket/rest/intro/#partial-response",
        },
        {
          violation: "/pullrequests reply 200/values/*/author must be object",
          reason: "null if the account was deleted",
        },
        {
          violation: "/pullrequests reply 200/values/*/summary must NOT have additional properties",
          reason: "rendered texts have a type, like every Bitbucket object",
        },
        {
          violation: "/pullrequests reply 200/values/*/summary/type is not described",
          reason: "rendered texts have a type, like every Bitbucket object",
        },
      ],
    },
  ],
  others: [{ source: "answers of /user in public repositories", what: "recorded answers, read by hand: the account" }],
} satisfies Evidence;
