import type { git } from "../../categories/git.ts";
import type { CategoryImplementation } from "../../contracts/provider.ts";
import { repositoryPath, toIssueComment } from "../../provider-kit/git-records.ts";
import { one } from "../../provider-kit/implement.ts";
import { path, post } from "../../provider-kit/request.ts";
import { toIssue } from "./records.ts";

export const writes: CategoryImplementation<typeof git.operations> = {
  createIssue: one({
    request: ({ input: { repo, title, description, labels, assignees } }) =>
      post(repositoryPath("issues")({ repo }), { title, body: description, labels, assignees }),
    record: toIssue,
  }),
  createIssueComment: one({
    request: ({ input: { repo, number, text } }) =>
      post(repositoryPath(path`issues/${number}/comments`)({ repo }), { body: text }),
    record: toIssueComment,
  }),
};
