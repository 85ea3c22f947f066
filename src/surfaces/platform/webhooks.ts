import Type from "typebox";
import { eventTypes } from "../../categories/event-types.ts";
import { OneOf } from "../../categories/schema.ts";
import { coversType } from "../../contracts/events.ts";
import { invalidInput } from "../../contracts/fault.ts";
import { deliveryStates, MAX_WEBHOOKS } from "../../contracts/webhooks.ts";
import { newId, newWebhookSecret } from "../../runtime/ids.ts";
import { closed, MapOf } from "../shared/platform-records/schema.ts";
import {
  CreatedWebhook,
  DeliveryRecord,
  eventsDescription,
  ResentDeliveries,
  RotatedSecret,
  WebhookRecord,
  WebhookSecret,
} from "../shared/platform-records/webhook.ts";
import { change } from "./change.ts";
import { unknownTypes } from "./events.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, notFound, requireFound } from "./route.ts";
import { CursorPaging, DryRun, Filter, InputText, Paging, Success, toPage } from "./schemas.ts";
import { readTime } from "./times.ts";
import { createProblems, type Problems } from "./validation.ts";

const fields = {
  name: InputText(200, "what it is for"),
  url: InputText(2_000, "where events are posted to"),
  events: MapOf<boolean>({ type: "boolean" }, eventsDescription, { maxProperties: 200 }),
  enabled: Type.Boolean({ description: "Whether it gets events" }),
};
export const NewWebhook = Type.Object(
  { name: fields.name, url: fields.url, events: fields.events, enabled: Type.Optional(fields.enabled) },
  { title: "NewWebhook", ...closed },
);
const WebhookChange = Type.Object(
  {
    name: Type.Optional(fields.name),
    url: Type.Optional(fields.url),
    events: Type.Optional(fields.events),
    enabled: Type.Optional(fields.enabled),
  },
  { title: "WebhookChange", ...closed },
);

const ListDeliveries = Type.Object({
  limit: Paging.limit,
  after: Filter("the id of the last entry of the previous page"),
  state: Type.Optional(OneOf(deliveryStates, "Only deliveries in this state")),
});

const ResendFailed = Type.Object(
  { since: Type.String({ minLength: 1, maxLength: 50, description: "an ISO 8601 date and time" }) },
  { title: "ResendFailed", ...closed },
);

/** How long both secrets are signed with after a rotation, so that receivers can change over. */
const ROTATION_MS = 24 * 3_600_000;

const ON_THIS_MACHINE = "For an endpoint on your own machine, run `npx plugboard listen --forward URL` instead";
const ALLOW = "ALLOW_PRIVATE_UPSTREAMS=true";

/** Adds what to do about an address that is not encrypted, or that nobody outside of a machine or network can reach. */
function withAdvice(refusal: string, url: string): string {
  if (refusal.includes(ALLOW)) return `${refusal}. ${ON_THIS_MACHINE}`;
  if (URL.parse(url)?.protocol !== "http:") return refusal;
  return `${refusal}. ${ON_THIS_MACHINE}; for one in your own network, set ${ALLOW}, which also allows http`;
}

export function webhookRoutes(app: PlatformApp, { store, engine, operations }: PlatformOptions): void {
  const route = describeRoute("Webhooks", { wholeWorkspace: true });
  const known = eventTypes(operations);

  async function check(problems: Problems, { url, events }: { url?: string; events?: Record<string, boolean> }) {
    if (url !== undefined && problems.valid("url")) {
      const refusal = await engine.eventPoster.refuseAddress(url);
      if (refusal) problems.add(withAdvice(refusal, url), "url");
    }
    if (events && problems.valid("events")) {
      const unknown = Object.keys(events).filter((pattern) => !known.some((type) => coversType(pattern, type)));
      if (unknown.length > 0) problems.add(unknownTypes(unknown, known), "events");
      else if (!Object.values(events).includes(true)) problems.add("Must have at least one type with true", "events");
    }
    problems.throwIfAny();
  }

  app.get(
    "/v1/webhooks",
    {
      schema: route("listWebhooks", "events:read", "List webhooks", {
        querystring: Type.Object(CursorPaging),
        200: Type.Array(WebhookRecord),
      }),
    },
    (request) => store.webhooks.list(request.workspace.id, toPage(request.query)),
  );

  app.post(
    "/v1/webhooks",
    {
      attachValidation: true,
      schema: route("createWebhook", "events:write", "Create a webhook", {
        action: "webhook.create",
        querystring: DryRun,
        body: NewWebhook,
        201: CreatedWebhook,
        description: `The response contains the secret that its signatures are verified with. A workspace can have ${MAX_WEBHOOKS} webhooks.`,
      }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const { name, url, events, enabled = true } = request.body;
      await check(problems, { url, events });
      const secret = newWebhookSecret();
      const values = { id: newId("wh"), workspace_id: request.workspace.id, name, url, events, enabled, secret };
      const created = await change(store, request, ({ webhooks }) => webhooks.create(values));
      return reply.code(201).send({ ...created, secret });
    },
  );

  app.get(
    "/v1/webhooks/:id",
    { schema: route("getWebhook", "events:read", "Get a webhook", { params: IdParameter, 200: WebhookRecord }) },
    async (request) => requireFound(await store.webhooks.get(request.workspace.id, request.params.id)),
  );

  app.patch(
    "/v1/webhooks/:id",
    {
      attachValidation: true,
      schema: route("updateWebhook", "events:write", "Change a webhook", {
        action: "webhook.update",
        params: IdParameter,
        querystring: DryRun,
        body: WebhookChange,
        200: WebhookRecord,
        description:
          "`events` is replaced as a whole. While it is off, it gets no new events, and pending deliveries wait until it is on again.",
      }),
    },
    async (request) => {
      const { workspace, params, body } = request;
      const current = requireFound(await store.webhooks.get(workspace.id, params.id));
      await check(createProblems(request), body);
      if (Object.keys(body).length === 0) return current;
      return requireFound(
        await change(store, request, ({ webhooks }) => webhooks.update(workspace.id, params.id, body), current),
      );
    },
  );

  app.delete(
    "/v1/webhooks/:id",
    {
      schema: route("deleteWebhook", "events:write", "Delete a webhook", {
        action: "webhook.delete",
        params: IdParameter,
        200: Success,
      }),
    },
    async (request) => {
      const { workspace, params } = request;
      if (!(await change(store, request, ({ webhooks }) => webhooks.delete(workspace.id, params.id)))) throw notFound();
      return { success: true };
    },
  );

  app.get(
    "/v1/webhooks/:id/secret",
    {
      schema: route("getWebhookSecret", "events:write", "Get the secret of a webhook", {
        action: "webhook.read_secret",
        params: IdParameter,
        200: WebhookSecret,
      }),
    },
    async (request) => {
      const { workspace, params } = request;
      return {
        secret: requireFound(await change(store, request, ({ webhooks }) => webhooks.secret(workspace.id, params.id))),
      };
    },
  );

  app.post(
    "/v1/webhooks/:id/rotate-secret",
    {
      schema: route("rotateWebhookSecret", "events:write", "Give a webhook a new secret", {
        action: "webhook.rotate_secret",
        params: IdParameter,
        200: RotatedSecret,
        description: "For 24 hours, what is sent has a signature with the previous secret as well.",
      }),
    },
    async (request) => {
      const secret = newWebhookSecret();
      const until = new Date(Date.now() + ROTATION_MS).toISOString();
      const { workspace, params } = request;
      const isRotated = await change(store, request, ({ webhooks }) =>
        webhooks.rotateSecret(workspace.id, params.id, secret, until),
      );
      if (!isRotated) throw notFound();
      return { secret, previous_secret_valid_until: until };
    },
  );

  app.post(
    "/v1/webhooks/:id/test",
    {
      schema: route("testWebhook", "events:write", "Send a test event to a webhook", {
        action: "webhook.test",
        params: IdParameter,
        201: DeliveryRecord,
        description:
          "An event of type `webhook.test`, which no other webhook gets. `GET /v1/deliveries/{id}` has the result.",
      }),
    },
    async (request, reply) => {
      const webhook = requireFound(await store.webhooks.get(request.workspace.id, request.params.id));
      if (!webhook.enabled) throw invalidInput({ path: ["enabled"], message: "The webhook is off: turn it on first" });
      const delivery = requireFound(
        await change(store, request, ({ webhooks }) => webhooks.test(request.workspace.id, webhook.id)),
      );
      return reply.code(201).send(delivery);
    },
  );

  app.get(
    "/v1/webhooks/:id/deliveries",
    {
      schema: route("listWebhookDeliveries", "events:read", "List the deliveries of a webhook, newest first", {
        params: IdParameter,
        querystring: ListDeliveries,
        200: Type.Array(DeliveryRecord),
      }),
    },
    async (request) => {
      const { workspace, params, query } = request;
      requireFound(await store.webhooks.get(workspace.id, params.id));
      const { limit = 50, after, state } = query;
      const page = { limit, ...(after === undefined ? {} : { after }) };
      return store.deliveries.list(workspace.id, params.id, page, state ? { state } : {});
    },
  );

  app.post(
    "/v1/webhooks/:id/resend",
    {
      schema: route("resendFailedDeliveries", "events:write", "Send all failed deliveries of a webhook again", {
        action: "webhook.resend",
        params: IdParameter,
        body: ResendFailed,
        200: ResentDeliveries,
        description:
          "All deliveries since a time whose last attempt failed, including those that have attempts left. They are sent now, with all attempts.",
      }),
    },
    async (request) => {
      const { workspace, params, body } = request;
      requireFound(await store.webhooks.get(workspace.id, params.id));
      const since = readTime(body.since, "since");
      const count = await change(store, request, ({ deliveries }) =>
        deliveries.resendFailed(workspace.id, params.id, since),
      );
      return { count };
    },
  );

  app.get(
    "/v1/deliveries/:id",
    { schema: route("getDelivery", "events:read", "Get a delivery", { params: IdParameter, 200: DeliveryRecord }) },
    async (request) => requireFound(await store.deliveries.get(request.workspace.id, request.params.id)),
  );

  app.post(
    "/v1/deliveries/:id/resend",
    {
      schema: route("resendDelivery", "events:write", "Send a delivery again", {
        action: "delivery.resend",
        params: IdParameter,
        200: DeliveryRecord,
        description: "With the same `webhook-id`, whether it was delivered or not, and with all further attempts.",
      }),
    },
    async (request) => {
      const { workspace, params } = request;
      return requireFound(await change(store, request, ({ deliveries }) => deliveries.resend(workspace.id, params.id)));
    },
  );
}
