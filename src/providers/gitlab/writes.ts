import {
  type CategoryImplementation,
  get,
  type git,
  invalidInput,
  one,
  path,
  post,
  type Upstream,
} from "../../provider-kit/index.ts";
import { type GitLabIssue, type GitLabNote, projectPath, toIssue, toIssueComment } from "./records.ts";

/** An issue takes the IDs of its assignees. https://docs.gitlab.com/api/users/#list-all-users */
async function userIds(names: string[], upstream: Upstream): Promise<number[]> {
  const found = await Promise.all(
    names.map((username) => upstream<{ id: number; username: string }[]>(get("/users", { username }))),
  );
  return found.map(({ body }, index) => {
    const [user] = body;
    if (!user) throw invalidInput({ path: ["body", "assignees"], message: `no user is named "${names[index]}"` });
    return user.id;
  });
}

export const writes: CategoryImplementation<typeof git.operations> = {
  createIssue: one({
    async load({ input: { repo, title, description, labels, assignees }, upstream, write }) {
      const assignee_ids = assignees && (await userIds(assignees, upstream));
      const body = { title, description, labels: labels?.join(","), assignee_ids };
      return (await write<GitLabIssue>(post(projectPath("issues")({ repo }), body))).body;
    },
    record: toIssue,
  }),
  createIssueComment: one({
    request: ({ input: { repo, number, text } }) =>
      post(projectPath(path`issues/${number}/notes`)({ repo }), { body: text }),
    record: (note: GitLabNote, { input: { repo, number }, address }) =>
      toIssueComment(note, `${address("site")}/${repo}/-/issues/${number}`),
  }),
};
