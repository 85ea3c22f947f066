import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [{ file: "github.openapi3.json", format: "openapi" }],
  others: [
    { source: "@octokit/fixtures", what: "recorded responses of api.github.com" },
    { source: "@octokit/rest", what: "response types" },
  ],
} satisfies Evidence;
