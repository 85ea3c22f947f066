import { type ConnectionHooks, post, remove, hookedRepository as target } from "../../provider-kit/index.ts";
import { projectPath } from "./records.ts";

const hooksPath = (repo: string) => projectPath("hooks")({ repo });

/** https://docs.gitlab.com/user/project/integrations/webhook_events/ */
const EVENTS = {
  issues_events: true,
  confidential_issues_events: true,
  note_events: true,
  confidential_note_events: true,
  merge_requests_events: true,
  push_events: true,
  tag_push_events: true,
  releases_events: true,
};

/** https://docs.gitlab.com/api/project_webhooks/ */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be a maintainer or an owner of the project, with the scope api.",
  secret: "hook",
  // Older servers, and those that have not enabled it, ignore a signing token: the secret token works everywhere.
  // https://docs.gitlab.com/user/project/integrations/webhooks/#validate-payloads-by-using-a-secret-token
  signature: { kind: "token", in: { header: "x-gitlab-token" } },
  events({ body }) {
    const kind = String(body?.object_kind);
    // A branch or a tag that was deleted has no commit: its hash has only zeros.
    const action = /^0+$/.test(body?.after) ? "delete" : (body?.object_attributes?.action ?? body?.action);
    return [typeof action === "string" ? `${kind}.${action}` : kind];
  },
  // Deleted issues, comments and merge requests have no event.
  lists: {
    "git.listIssues": { events: ["issue", "work_item", "note"], target },
    "git.listIssueComments": { events: ["note"], target },
    "git.listPullRequests": { events: ["merge_request", "note"], target },
    "git.listCommits": { events: ["push"], target },
    "git.listBranches": { events: ["push"], deletes: ["push.delete"], target },
    "git.listTags": { events: ["tag_push"], deletes: ["tag_push.delete"], target },
    "git.listReleases": { events: ["release"], deletes: ["release.delete"], target },
  },
  async create({ upstream, target: repo, url, secret }) {
    const { body } = await upstream<{ id: number }>(post(hooksPath(repo), { url, token: secret, ...EVENTS }));
    return { remote: { id: String(body.id) } };
  },
  remove: ({ upstream, target: repo }, { id }) => upstream(remove(`${hooksPath(repo)}/${id}`)),
};
