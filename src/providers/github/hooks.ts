import { type ConnectionHooks, path, post, remove, hookedRepository as repository } from "../../provider-kit/index.ts";

const hooksPath = (repo: string) => {
  const [owner = "", name = ""] = repo.split("/");
  return path`/repos/${owner}/${name}/hooks`;
};

/** https://docs.github.com/en/webhooks/webhook-events-and-payloads */
const EVENTS = ["issues", "issue_comment", "pull_request", "push", "create", "delete", "release"];

/** https://docs.github.com/en/rest/repos/webhooks */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be an administrator of the repository, with the scope repo or admin:repo_hook.",
  secret: "hook",
  // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries
  signature: {
    kind: "hmac",
    headers: ["x-hub-signature-256"],
    algorithm: "sha256",
    encoding: "hex",
    prefix: "sha256=",
  },
  events({ headers, body }) {
    const event = headers["x-github-event"] ?? "";
    if (event === "ping") return [];
    return [typeof body?.action === "string" ? `${event}.${body.action}` : event];
  },
  lists: {
    "git.listIssues": {
      events: ["issues", "issue_comment"],
      deletes: ["issues.deleted", "issues.transferred"],
      target: repository,
    },
    "git.listIssueComments": { events: ["issue_comment"], deletes: ["issue_comment.deleted"], target: repository },
    "git.listPullRequests": { events: ["pull_request", "issue_comment"], target: repository },
    "git.listCommits": { events: ["push"], target: repository },
    "git.listBranches": { events: ["push", "create", "delete"], deletes: ["delete"], target: repository },
    "git.listTags": { events: ["push", "create", "delete"], deletes: ["delete"], target: repository },
    "git.listReleases": {
      events: ["release"],
      deletes: ["release.deleted", "release.unpublished"],
      target: repository,
    },
  },
  async create({ upstream, target, url, secret }) {
    const config = { url, secret, content_type: "json", insecure_ssl: "0" };
    const { body } = await upstream<{ id: number }>(
      post(hooksPath(target), { name: "web", active: true, events: EVENTS, config }),
    );
    return { remote: { id: String(body.id) } };
  },
  remove: ({ upstream, target }, { id }) => upstream(remove(`${hooksPath(target)}/${id}`)),
};
