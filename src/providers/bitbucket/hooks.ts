import {
  type ConnectionHooks,
  path,
  post,
  remove,
  segments,
  hookedRepository as target,
} from "../../provider-kit/index.ts";

const hooksPath = (repo: string) => `/repositories/${segments(repo)}/hooks`;

/** https://support.atlassian.com/bitbucket-cloud/docs/event-payloads/ */
const EVENTS = [
  "repo:push",
  "pullrequest:created",
  "pullrequest:updated",
  "pullrequest:fulfilled",
  "pullrequest:rejected",
  "pullrequest:comment_created",
];

/** https://developer.atlassian.com/cloud/bitbucket/rest/api-group-webhooks/ */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be an administrator of the repository, with the scope webhook.",
  secret: "hook",
  // https://support.atlassian.com/bitbucket-cloud/docs/manage-webhooks/#Secure-webhooks
  signature: {
    kind: "hmac",
    headers: ["x-hub-signature"],
    algorithm: "sha256",
    encoding: "hex",
    prefix: "sha256=",
  },
  events({ headers: { "x-event-key": key = "" }, body }) {
    const name = key.replace(":", ".");
    const changes: unknown = body?.push?.changes;
    // A branch or a tag that was deleted.
    return Array.isArray(changes) && changes.some((change) => change?.closed === true) ? [`${name}.closed`] : [name];
  },
  lists: {
    "git.listPullRequests": { events: ["pullrequest"], target },
    "git.listCommits": { events: ["repo.push"], target },
    "git.listBranches": { events: ["repo.push"], deletes: ["repo.push.closed"], target },
    "git.listTags": { events: ["repo.push"], deletes: ["repo.push.closed"], target },
  },
  async create({ upstream, target: repo, url, secret }) {
    const { body } = await upstream<{ uuid: string }>(
      post(hooksPath(repo), { description: "Plugboard", url, secret, active: true, events: EVENTS }),
    );
    return { remote: { uuid: body.uuid } };
  },
  remove: ({ upstream, target: repo }, { uuid = "" }) => upstream(remove(`${hooksPath(repo)}${path`/${uuid}`}`)),
};
