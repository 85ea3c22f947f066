import type { Deviation, Evidence } from "../../provider-kit/index.ts";

const deviations = (reason: string, violations: string[]): Deviation[] =>
  violations.map((violation) => ({ violation, reason }));

/** The description has these two lists as single objects. */
const list = (path: string) => ({
  [`GET ${path} 200`]: {
    type: "array",
    items: {
      $ref: `#/paths/${encodeURIComponent(path.replaceAll("/", "~1"))}/get/responses/200/content/application~1json/schema`,
    },
  },
});

export default {
  descriptions: [
    {
      file: "gitlab-unofficial.openapi3.yaml",
      format: "openapi",
      replies: { ...list("/projects/{id}/repository/branches"), ...list("/projects/{id}/repository/commits") },
      deviations: [
        ...deviations("missing from the description; checked against the types of @gitbeaker/rest instead", [
          "GET /user is not described",
          "/merge_requests is not described",
        ]),
        ...deviations("the description has no answers to writes: https://docs.gitlab.com/api/issues/#create-an-issue", [
          "POST /projects/{id}/issues reply 201 is not described",
          "POST /projects/{id}/issues/{issue_iid}/notes reply 201 is not described",
        ]),
        ...deviations("every list accepts it: https://docs.gitlab.com/api/rest/#pagination", [
          "query page is not described",
          "query per_page is not described",
        ]),
        ...deviations("repeated by GitLab's links to the next page, which are to be used as they are", [
          "query id is not described",
          "query issue_iid is not described",
          "query imported is not described",
          "query include_hidden is not described",
        ]),
        ...deviations("null if there is none, which the description cannot say", [
          "/avatar_url must be string",
          "/closed_at must be string",
          "/closed_by must be object",
          "/default_branch must be string",
          "/description must be string",
          "/releases reply 200/*/name must be string",
          "/tags reply 200/*/commit must be object",
        ]),
        ...deviations("newer than the description, which is of GitLab 15: https://docs.gitlab.com/api/rest/", [
          "/_links is not described",
          "/author/avatar_url is not described",
          "/author/web_url is not described",
          "/created_at is not described",
          "/namespace/avatar_url is not described",
          "/namespace/parent_id is not described",
          "/namespace/web_url is not described",
          "/upcoming_release is not described",
          "/updated_at is not described",
          "/visibility is not described",
          "/commit/web_url is not described",
        ]),
      ],
    },
  ],
  others: [
    { source: "@gitbeaker/rest", what: "response types; its client also runs against the emulator" },
    {
      source: "gitlab-unofficial.openapi3.yaml",
      what: "unofficial, made from GitLab's documentation of 2023; without merge requests and the current user",
    },
  ],
} satisfies Evidence;
