import {
  CLIENT_SECRET,
  type EmulatedHook,
  type EmulatedHooks,
  type EmulatedRoute,
  hookRegistry,
  reply,
  taskRecords,
} from "../../../emulator-kit/index.ts";
import { adminHooks } from "../hooks.ts";
import { jiraTime, SITE_URL, type State } from "./data.ts";
import { errorReply } from "./errors.ts";

const registry = hookRegistry<{ events: string[] }>();

const LIFE_MS = 30 * 24 * 3_600_000;

const EVENTS = {
  task: { create: "jira:issue_created", update: "jira:issue_updated", delete: "jira:issue_deleted" },
  comment: { create: "comment_created", update: "comment_updated", delete: "comment_deleted" },
  project: { create: "project_created", update: "project_updated", delete: "project_deleted" },
};

const covers = (list: string) => list in taskRecords;

/** https://developer.atlassian.com/cloud/jira/platform/webhooks/#callback-and-response-format */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, now, parameters }, _, hook: EmulatedHook) {
    const record = taskRecords[list];
    const webhookEvent = record && EVENTS[record][kind];
    if (!webhookEvent || !(hook as ReturnType<typeof registry.add>).events.includes(webhookEvent)) return undefined;
    const subject = {
      task: { issue: { id } },
      comment: { comment: { id }, issue: { id: parameters.task_id } },
      project: { project: { id } },
    }[record];
    return { body: { timestamp: now.getTime(), webhookEvent, ...subject } };
  },
};

/** The operators of its filters: https://developer.atlassian.com/cloud/jira/platform/rest/v3/api-group-webhooks/ */
const isFilter = (jql: unknown) => typeof jql === "string" && /^\S+ (!?=|(NOT )?IN) \S/i.test(jql);

const numbers = (body: unknown): string[] | undefined => {
  const ids = (body as { webhookIds?: unknown } | undefined)?.webhookIds;
  return Array.isArray(ids) ? ids.map(String) : undefined;
};

/** Of an app: they are at the address of the API. */
export const appHookRoutes: Record<string, EmulatedRoute<State>> = {
  "POST /webhook"({ body }, state) {
    const { url, webhooks } = body ?? {};
    if (typeof url !== "string" || !Array.isArray(webhooks))
      return errorReply(400, "The URL and the webhooks are required.");
    const results = webhooks.map(({ events = [], jqlFilter }) => {
      if (!isFilter(jqlFilter)) return { errors: ["The JQL filter is not supported."] };
      const id = registry.nextId();
      const expires = new Date(Date.now() + LIFE_MS);
      registry.add(state, { id, url, secret: CLIENT_SECRET, events, expires, covers });
      return { createdWebhookId: Number(id) };
    });
    return reply(200, { webhookRegistrationResult: results });
  },
  "PUT /webhook/refresh"({ body }, state) {
    const ids = numbers(body);
    if (!ids) return errorReply(400, "The webhook IDs are required.");
    const expires = new Date(Date.now() + LIFE_MS);
    for (const id of ids) {
      const hook = registry.find(state, id);
      if (hook) hook.expires = expires;
    }
    return reply(200, { expirationDate: jiraTime(expires) });
  },
  "DELETE /webhook"({ body }, state) {
    const ids = numbers(body);
    if (!ids) return errorReply(400, "The webhook IDs are required.");
    for (const id of ids) registry.remove(state, id);
    return reply(202);
  },
};

/** Of an administrator. */
export const adminHookRoutes: Record<string, EmulatedRoute<State>> = {
  "POST /rest/webhooks/1.0/webhook"({ body }, state) {
    const { name, url, events = [], secret = "", filters = {}, excludeBody = false } = body ?? {};
    if (typeof name !== "string" || typeof url !== "string")
      return errorReply(400, "The name and the URL are required.");
    const id = registry.nextId();
    registry.add(state, { id, url, secret, events, covers, signature: adminHooks.signature });
    return reply(201, {
      name,
      url,
      events,
      filters,
      excludeBody,
      enabled: true,
      isSigned: secret !== "",
      self: `${SITE_URL}/rest/webhooks/1.0/webhook/${id}`,
    });
  },
  "DELETE /rest/webhooks/1.0/webhook/:webhook": ({ params }, state) =>
    registry.remove(state, params.webhook!) ? reply(204) : errorReply(404, "The webhook does not exist."),
};
