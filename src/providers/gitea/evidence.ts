import type { Evidence } from "../../provider-kit/index.ts";

/** Swagger 2 cannot describe a value as nullable, and Gitea sends null for missing values. */
const NULLABLE = [
  "/issues reply 200/*/assignees must be array",
  "/*/closed_at must be string",
  "/issues reply 200/*/pull_request must be object",
  "/issues reply 201/assignees must be array",
  "/issues reply 201/pull_request must be object",
  "/pulls reply 200/*/merged_at must be string",
  "/commits reply 200/*/author must be object",
  "/commits reply 200/*/committer must be object",
];

export default {
  descriptions: [
    {
      file: "gitea.swagger2.json",
      format: "openapi",
      deviations: NULLABLE.map((violation) => ({
        violation,
        reason: "null if there is none: https://github.com/go-gitea/gitea/tree/main/modules/structs",
      })),
    },
  ],
  others: [{ source: "answers of /user in public repositories", what: "recorded answers, read by hand: the account" }],
} satisfies Evidence;
