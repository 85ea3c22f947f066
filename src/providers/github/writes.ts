import {
  type CategoryImplementation,
  type git,
  one,
  path,
  post,
  repositoryPath,
  toIssueComment,
} from "../../provider-kit/index.ts";
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
