import {
  type ConnectionHooks,
  Fault,
  hookedTaskLists,
  isoTime,
  path,
  post,
  put,
  remove,
} from "../../provider-kit/index.ts";

const ISSUES = ["jira:issue_created", "jira:issue_updated", "jira:issue_deleted"];
const COMMENTS = ["comment_created", "comment_updated", "comment_deleted"];
const PROJECTS = ["project_created", "project_updated", "project_deleted", "project_soft_deleted", "project_archived"];

// A comment changes when its issue was updated.
const tasks = { events: [...ISSUES, ...COMMENTS], deletes: ["jira:issue_deleted"] };
const comments = { events: COMMENTS, deletes: ["comment_deleted"] };
const projects = { events: PROJECTS, deletes: ["project_deleted", "project_soft_deleted", "project_archived"] };

const events: ConnectionHooks["events"] = ({ body }) => [String(body?.webhookEvent)];

const LIFE_MS = 30 * 24 * 3_600_000;

/**
 * Those of an app, which OAuth tokens can make: about issues and comments only.
 * https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-webhooks/
 */
export const hooks: ConnectionHooks = {
  per: "connection",
  needs: "It needs the scopes read:jira-work and manage:jira-webhook.",
  // https://developer.atlassian.com/cloud/jira/platform/oauth-2-3lo-apps/#webhooks
  secret: "client_secret",
  signature: { kind: "jwt" },
  events,
  lists: hookedTaskLists({ tasks, comments }),
  async create({ upstream, url }) {
    // An empty filter is refused, and `is not EMPTY` is not among the operators: this one matches every issue.
    const webhooks = [{ events: [...ISSUES, ...COMMENTS], jqlFilter: "project != null" }];
    const { body } = await upstream<{ webhookRegistrationResult?: { createdWebhookId?: number }[] }>(
      post("/webhook", { url, webhooks }),
    );
    const id = body.webhookRegistrationResult?.[0]?.createdWebhookId;
    // What is refused has status 200.
    if (id === undefined) throw new Fault("conflict", "Jira registers only one address for each app and site");
    return { remote: { id: String(id) }, expires_at: new Date(Date.now() + LIFE_MS).toISOString() };
  },
  async renew({ upstream }, { id }) {
    const { body } = await upstream<{ expirationDate?: string | number }>(
      put("/webhook/refresh", { webhookIds: [Number(id)] }),
    );
    return { expires_at: isoTime(body.expirationDate) };
  },
  remove: ({ upstream }, { id }) => upstream({ ...remove("/webhook"), body: { webhookIds: [Number(id)] } }),
};

/**
 * Those of an administrator, for API tokens.
 * https://developer.atlassian.com/cloud/jira/platform/webhooks/#registering-a-webhook-using-the-jira-rest-api--other-integrations-
 */
export const adminHooks: ConnectionHooks = {
  per: "connection",
  needs: "Its user has to be an administrator of Jira.",
  secret: "hook",
  // https://developer.atlassian.com/cloud/jira/platform/webhooks/#secure-admin-webhooks
  signature: {
    kind: "hmac",
    headers: ["x-hub-signature"],
    algorithm: "sha256",
    encoding: "hex",
    prefix: "sha256=",
  },
  events,
  lists: hookedTaskLists({ tasks, comments, projects }),
  async create({ upstream, url, secret }) {
    const hook = { name: "Plugboard", url, secret, events: [...ISSUES, ...COMMENTS, ...PROJECTS], excludeBody: false };
    const { body } = await upstream<{ self: string }>(post("/webhooks/1.0/webhook", hook, {}, { to: "rest" }));
    return { remote: { id: body.self.split("/").at(-1)! } };
  },
  remove: ({ upstream }, { id = "" }) => upstream({ ...remove(path`/webhooks/1.0/webhook/${id}`), to: "rest" }),
};
