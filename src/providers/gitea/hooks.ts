import {
  type ConnectionHooks,
  post,
  remove,
  repositoryPath,
  hookedRepository as target,
} from "../../provider-kit/index.ts";

const hooksPath = (repo: string) => repositoryPath("hooks")({ repo });

/** `issues` and `pull_request` include comments, labels and so on: https://docs.gitea.com/usage/repository/webhooks */
const EVENTS = ["issues", "pull_request", "push", "create", "delete", "release"];

/** https://docs.gitea.com/api/next/#tag/repository/operation/repoCreateHook */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be an administrator of the repository, with the scope write:repository.",
  secret: "hook",
  // https://github.com/go-gitea/gitea/blob/main/services/webhook/deliver.go
  signature: { kind: "hmac", headers: ["x-gitea-signature"], algorithm: "sha256", encoding: "hex" },
  events({ headers: { "x-gitea-event": event = "" }, body }) {
    return [typeof body?.action === "string" ? `${event}.${body.action}` : event];
  },
  lists: {
    "git.listIssues": { events: ["issues", "issue_comment"], deletes: ["issues.deleted"], target },
    "git.listIssueComments": { events: ["issue_comment"], deletes: ["issue_comment.deleted"], target },
    "git.listPullRequests": {
      events: [
        "pull_request",
        "pull_request_approved",
        "pull_request_rejected",
        "pull_request_comment",
        "issue_comment",
      ],
      deletes: ["pull_request.deleted"],
      target,
    },
    "git.listCommits": { events: ["push"], target },
    "git.listBranches": { events: ["push", "create", "delete"], deletes: ["delete"], target },
    "git.listTags": { events: ["push", "create", "delete"], deletes: ["delete"], target },
    "git.listReleases": { events: ["release"], deletes: ["release.deleted"], target },
  },
  async create({ upstream, target: repo, url, secret }) {
    const config = { url, secret, content_type: "json" };
    const { body } = await upstream<{ id: number }>(
      post(hooksPath(repo), { type: "gitea", active: true, events: EVENTS, config }),
    );
    return { remote: { id: String(body.id) } };
  },
  remove: ({ upstream, target: repo }, { id }) => upstream(remove(`${hooksPath(repo)}/${id}`)),
};
