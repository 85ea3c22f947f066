import { isDeepStrictEqual } from "node:util";
import Type from "typebox";
import type { Caller } from "../../contracts/caller.ts";
import type { Workspace } from "../../contracts/entities.ts";
import { invalidInput } from "../../contracts/fault.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import { currentInterval, isHookHealthy, type Subscription } from "../../contracts/subscriptions.ts";
import { newId } from "../../runtime/ids.ts";
import { SubscriptionRecord } from "../shared/platform-records/subscription.ts";
import { change } from "./change.ts";
import type { PlatformApp, PlatformOptions } from "./options.ts";
import { describeRoute, IdParameter, requireFound } from "./route.ts";
import { CursorPaging, Filter, Success, toPage } from "./schemas.ts";
import {
  checkConnection,
  checkFullWalk,
  checkParameters,
  checkWithWebhook,
  NewSubscription,
  SubscriptionChange,
  UNKNOWN_CONNECTION,
} from "./subscription-inputs.ts";
import { createProblems, type Problems } from "./validation.ts";
import { ofVisibleConnection, visibleConnectionIds } from "./visible.ts";

const DAY_SECONDS = 86_400;

const ListSubscriptions = Type.Object({
  ...CursorPaging,
  connection_id: Filter("only subscriptions over this connection"),
});

/** Calls to the provider, judged by the last run of each kind, without those that a webhook starts. */
function estimatedCallsPerDay(subscription: Subscription): number {
  const { full_walk_seconds, progress } = subscription;
  const runs = DAY_SECONDS / currentInterval(subscription, Date.now());
  const fullCalls = progress.full_calls ?? 1;
  if (!progress.is_incremental) return Math.round(runs * fullCalls);
  const fullWalks = Math.min(runs, DAY_SECONDS / full_walk_seconds);
  return Math.round((runs - fullWalks) * (progress.incremental_calls ?? 1) + fullWalks * fullCalls);
}

/** Why no webhook starts it; null if one does. */
function pollingReason({ hook, hook_reason }: Subscription): string | null {
  if (hook_reason !== null) return hook_reason;
  if (!hook || hook.state === "new") return "the webhook is being made";
  if (hook.state === "failed") return hook.reason;
  if (hook.missed_at && !hook.last_hint_at) return "no webhook of the provider has arrived yet";
  if (hook.missed_at) return `changes were found at ${hook.missed_at} that no webhook had announced`;
  return "the webhook has expired";
}

const toRecord = (subscription: Subscription) => ({
  ...subscription,
  ...(isHookHealthy(subscription, Date.now())
    ? { trigger: "webhook" as const, trigger_reason: null }
    : { trigger: "polling" as const, trigger_reason: pollingReason(subscription) }),
  last_hint_at: subscription.hook?.last_hint_at ?? null,
  webhook_expires_at: subscription.hook?.expires_at ?? null,
  estimated_calls_per_day: estimatedCallsPerDay(subscription),
});

export function subscriptionRoutes(app: PlatformApp, options: PlatformOptions): void {
  const { store, engine, operations, wakeSubscriptions } = options;
  const route = describeRoute("Subscriptions");
  const lists = new Map(operations.filter(({ kind }) => kind === "list").map((list) => [list.id, list]));

  const find = async ({
    caller,
    workspace,
    params,
  }: {
    caller: Caller;
    workspace: Workspace;
    params: { id: string };
  }) => ofVisibleConnection(store, caller, await store.subscriptions.get(workspace.id, params.id));

  function findList(problems: Problems, id: string): BoundOperation | undefined {
    if (!problems.valid("operation")) return undefined;
    const operation = lists.get(id);
    if (!operation) problems.add(`Must be one of: ${[...lists.keys()].join(", ")}`, "operation");
    return operation;
  }

  app.get(
    "/v1/subscriptions",
    {
      schema: route("listSubscriptions", "events:read", "List subscriptions", {
        querystring: ListSubscriptions,
        200: Type.Array(SubscriptionRecord),
      }),
    },
    async (request) => {
      const { caller, workspace, query } = request;
      const connection_ids = await visibleConnectionIds(store, caller, query);
      if (connection_ids?.length === 0) return [];
      const filter = connection_ids ? { connection_ids } : {};
      return (await store.subscriptions.list(workspace.id, toPage(query), filter)).map(toRecord);
    },
  );

  app.post(
    "/v1/subscriptions",
    {
      attachValidation: true,
      schema: route("createSubscription", "events:write", "Subscribe to the changes of a list", {
        action: "subscription.create",
        body: NewSubscription,
        201: SubscriptionRecord,
        description:
          "The list is read immediately, then every `interval_seconds`. Each record that was created, updated or deleted in between becomes an event. The first run only notes what exists, unless `include_existing` is set.",
      }),
    },
    async (request, reply) => {
      const problems = createProblems(request);
      const body: NewSubscription = request.body;
      const { workspace } = request;
      const operation = findList(problems, body.operation);
      await checkConnection(engine, problems, request.caller, body, operation);
      const given = body.parameters ?? {};
      const parameters =
        operation && problems.valid("parameters") ? checkParameters(problems, operation, given) : undefined;
      const full_walk_seconds = checkFullWalk(problems, body.interval_seconds, body.full_walk_seconds);
      checkWithWebhook(problems, body.interval_seconds, body.poll_with_webhook_seconds);
      problems.throwIfAny();
      const values = {
        id: newId("sub"),
        workspace_id: workspace.id,
        connection_id: body.connection_id,
        operation: body.operation,
        parameters: parameters!,
        interval_seconds: body.interval_seconds,
        full_walk_seconds,
        include_existing: body.include_existing ?? false,
        poll_with_webhook_seconds: body.poll_with_webhook_seconds ?? null,
      };
      const created = await change(store, request, async ({ subscriptions, connections }) => {
        // It may have been deleted since it was found; from here on, it cannot be.
        if (!(await connections.get(workspace.id, values.connection_id)))
          throw invalidInput({ path: ["connection_id"], message: UNKNOWN_CONNECTION });
        return subscriptions.create(values);
      });
      wakeSubscriptions();
      return reply.code(201).send(toRecord(created));
    },
  );

  app.get(
    "/v1/subscriptions/:id",
    {
      schema: route("getSubscription", "events:read", "Get a subscription", {
        params: IdParameter,
        200: SubscriptionRecord,
      }),
    },
    async (request) => toRecord(await find(request)),
  );

  app.patch(
    "/v1/subscriptions/:id",
    {
      attachValidation: true,
      schema: route("updateSubscription", "events:write", "Change a subscription", {
        action: "subscription.update",
        params: IdParameter,
        body: SubscriptionChange,
        200: SubscriptionRecord,
        description:
          "`parameters` are replaced as a whole. Other parameters start the subscription over: its next run only notes what exists. Their order does not matter, and a request that changes nothing does nothing.",
      }),
    },
    async (request) => {
      const { workspace, params } = request;
      const current = await find(request);
      const problems = createProblems(request);
      const { interval_seconds = current.interval_seconds, full_walk_seconds, parameters } = request.body;
      const { poll_with_webhook_seconds } = request.body;
      const operation = lists.get(current.operation);
      const isChecked = operation !== undefined && parameters !== undefined && problems.valid("parameters");
      const changed = isChecked ? checkParameters(problems, operation, parameters) : undefined;
      checkFullWalk(problems, interval_seconds, full_walk_seconds);
      checkWithWebhook(problems, interval_seconds, poll_with_webhook_seconds);
      problems.throwIfAny();
      const values = {
        interval_seconds,
        full_walk_seconds: Math.max(full_walk_seconds ?? current.full_walk_seconds, interval_seconds),
        // Compared in any order: the same parameters must not start it over.
        ...(poll_with_webhook_seconds === undefined ? {} : { poll_with_webhook_seconds }),
        ...(changed && !isDeepStrictEqual(changed, current.parameters) ? { parameters: changed } : {}),
      };
      if (isDeepStrictEqual({ ...current, ...values }, current)) return toRecord(current);
      const updated = await change(
        store,
        request,
        ({ subscriptions }) => subscriptions.update(workspace.id, params.id, values),
        current,
      );
      wakeSubscriptions();
      return toRecord(requireFound(updated));
    },
  );

  app.delete(
    "/v1/subscriptions/:id",
    {
      schema: route("deleteSubscription", "events:write", "Delete a subscription", {
        action: "subscription.delete",
        params: IdParameter,
        200: Success,
        description: "No further events are created. Existing events stay in the log.",
      }),
    },
    async (request) => {
      const { id } = await find(request);
      requireFound(
        (await change(store, request, ({ subscriptions }) => subscriptions.delete(request.workspace.id, id))) ||
          undefined,
      );
      wakeSubscriptions();
      return { success: true };
    },
  );

  app.post(
    "/v1/subscriptions/:id/run",
    {
      schema: route("runSubscription", "events:write", "Run a subscription now", {
        action: "subscription.run",
        params: IdParameter,
        200: SubscriptionRecord,
        description: "It runs as soon as a process has time for it, usually within a second.",
      }),
    },
    async (request) => {
      const { workspace, params } = request;
      const subscription = await find(request);
      if (subscription.status === "paused")
        throw invalidInput({ path: ["status"], message: "It is paused: POST /v1/subscriptions/{id}/resume first" });
      await change(store, request, async ({ jobs }) => {
        await jobs.wake([params.id]);
        return subscription;
      });
      wakeSubscriptions();
      return toRecord(requireFound(await store.subscriptions.get(workspace.id, params.id)));
    },
  );

  app.post(
    "/v1/subscriptions/:id/pause",
    {
      schema: route("pauseSubscription", "events:write", "Pause a subscription", {
        action: "subscription.pause",
        params: IdParameter,
        200: SubscriptionRecord,
        description: "Changes made while it is paused are reported when it resumes.",
      }),
    },
    async (request) => {
      const { id } = await find(request);
      const changed = await change(store, request, ({ subscriptions }) =>
        subscriptions.pause(request.workspace.id, id),
      );
      return toRecord(requireFound(changed));
    },
  );

  app.post(
    "/v1/subscriptions/:id/resume",
    {
      schema: route("resumeSubscription", "events:write", "Resume a subscription", {
        action: "subscription.resume",
        params: IdParameter,
        200: SubscriptionRecord,
        description: "It runs immediately and continues where it stopped.",
      }),
    },
    async (request) => {
      const { id } = await find(request);
      const changed = await change(store, request, ({ subscriptions }) =>
        subscriptions.resume(request.workspace.id, id),
      );
      return toRecord(requireFound(changed));
    },
  );
}
