import {
  type CategoryImplementation,
  get,
  type git,
  invalidInput,
  one,
  outsideCode,
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

/** GitLab splits names at commas, also those in a list: none of its labels has one. */
function joinLabels(labels: string[] | undefined): string | undefined {
  const split = labels?.find((label) => label.includes(","));
  if (split === undefined) return labels?.join(",");
  throw invalidInput({
    path: ["body", "labels"],
    message: `must not contain commas: "${split}" would be several labels`,
  });
}

const QUICK_ACTION = /^\/(?=[a-z_]+(?:\s|$))/gim;

/**
 * A line such as `/close` would be carried out instead of being written, and a comment of nothing else not be created.
 * https://docs.gitlab.com/user/project/quick_actions/
 */
const withoutActions = (text: string): string => outsideCode(text, (part) => part.replace(QUICK_ACTION, "\\/"));

export const writes: CategoryImplementation<typeof git.operations> = {
  createIssue: one({
    async load({ input: { repo, title, description, labels, assignees }, upstream, write }) {
      const assignee_ids = assignees && (await userIds(assignees, upstream));
      const body = {
        title,
        description: description && withoutActions(description),
        labels: joinLabels(labels),
        assignee_ids,
      };
      return (await write<GitLabIssue>(post(projectPath("issues")({ repo }), body))).body;
    },
    record: toIssue,
  }),
  createIssueComment: one({
    request: ({ input: { repo, number, text } }) =>
      post(projectPath(path`issues/${number}/notes`)({ repo }), { body: withoutActions(text) }),
    record: (note: GitLabNote, { input: { repo, number }, address }) =>
      toIssueComment(note, `${address("site")}/${repo}/-/issues/${number}`),
  }),
};
