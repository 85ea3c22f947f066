import {
  byName,
  type CategoryImplementation,
  get,
  type git,
  one,
  path,
  post,
  repositoryPath,
  toIssueComment,
  type Upstream,
} from "../../provider-kit/index.ts";
import { type GiteaIssue, MAX_PAGE_SIZE, toIssue } from "./records.ts";

/** An issue takes the IDs of its labels. https://docs.gitea.com/api/ (issueCreateIssue) */
async function labelIds(repo: string, names: string[], upstream: Upstream): Promise<number[]> {
  const { body } = await upstream<{ id: number; name: string }[]>(
    get(repositoryPath("labels")({ repo }), { limit: MAX_PAGE_SIZE }),
  );
  return names.map((name) => byName("labels", name, body, (label) => label.name).id);
}

export const writes: CategoryImplementation<typeof git.operations> = {
  createIssue: one({
    async load({ input: { repo, title, description, labels, assignees }, upstream, write }) {
      const body = { title, body: description, labels: labels && (await labelIds(repo, labels, upstream)), assignees };
      return (await write<GiteaIssue>(post(repositoryPath("issues")({ repo }), body))).body;
    },
    record: toIssue,
  }),
  createIssueComment: one({
    request: ({ input: { repo, number, text } }) =>
      post(repositoryPath(path`issues/${number}/comments`)({ repo }), { body: text }),
    record: toIssueComment,
  }),
};
