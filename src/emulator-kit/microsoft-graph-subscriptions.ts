// Change notifications of emulated services behind Microsoft Graph:
// https://learn.microsoft.com/en-us/graph/change-notifications-delivery-webhooks
import type { ChangeKind, EmulatedHook, EmulatedHooks, EmulatedReply, EmulatedRoute } from "../contracts/emulator.ts";
import { refuse, reply } from "./emulator.ts";
import { hookRegistry, type RegisteredHook } from "./hooks.ts";
import { graphEntity, graphError, graphGuid } from "./microsoft-graph.ts";

interface Subscription {
  resource: string;
  changeType: string;
}

interface Watchable {
  /** The resource that can be watched, without a slash in front. */
  resource: RegExp;
  /** The kinds of changes that it can be watched for. */
  changeTypes: readonly string[];
  /** https://learn.microsoft.com/en-us/graph/api/resources/subscription#subscription-lifetime */
  maxMinutes: number;
  /** Whether a watched resource, by the groups of the pattern, is about one of our lists. */
  covers(found: string[], ...list: Parameters<EmulatedHook["covers"]>): boolean;
  /** The type of what changes, such as `#Microsoft.Graph.Event`. */
  type: string;
}

const CHANGES: Record<ChangeKind, string> = { create: "created", update: "updated", delete: "deleted" };
const MIN_MINUTES = 45;

const invalid = (message: string) => refuse(graphError(400, "ExtensionError", message));

/** The subscriptions of one emulated service. */
export function graphSubscriptions<State extends object>({
  resource,
  changeTypes,
  maxMinutes,
  covers,
  type,
}: Watchable) {
  const registry = hookRegistry<Subscription>();
  let made = 0;

  /** A time at which a subscription may expire. */
  function readExpiry(sent: unknown): Date {
    const minutes = (Date.parse(String(sent)) - Date.now()) / 60_000;
    if (Number.isNaN(minutes)) invalid("Property 'expirationDateTime' is not valid.");
    if (minutes > maxMinutes) invalid(`Subscription expiration can only be ${maxMinutes} minutes in the future.`);
    return new Date(Date.now() + Math.max(minutes, MIN_MINUTES) * 60_000);
  }

  const find = (state: State, id: string | undefined): RegisteredHook<Subscription> =>
    registry.find(state, id ?? "") ??
    refuse(graphError(404, "ResourceNotFound", `The object was not found: subscription ${id}.`));

  const show = (hook: RegisteredHook<Subscription>, status: number): EmulatedReply =>
    graphEntity(
      "subscriptions",
      {
        id: hook.id,
        resource: hook.resource,
        applicationId: graphGuid(9_001),
        changeType: hook.changeType,
        clientState: hook.secret,
        notificationUrl: hook.url,
        expirationDateTime: hook.expires!.toISOString(),
        creatorId: graphGuid(1_000),
        latestSupportedTlsVersion: "v1_2",
      },
      status,
    );

  const hooks: EmulatedHooks<State> = {
    registered: registry.registered,
    request({ kind, id }, _, hook) {
      const { id: subscriptionId, resource, changeType, secret, expires } = hook as RegisteredHook<Subscription>;
      const wanted = changeType.split(",");
      const change = [CHANGES[kind], "updated"].find((one) => wanted.includes(one));
      if (!change) return undefined;
      const notification = {
        subscriptionId,
        subscriptionExpirationDateTime: expires!.toISOString(),
        clientState: secret,
        changeType: change,
        resource,
        resourceData: { "@odata.type": type, id: String(id) },
        tenantId: graphGuid(9_002),
      };
      return { body: { value: [notification] } };
    },
  };

  const routes: Record<string, EmulatedRoute<State>> = {
    "POST /v1.0/subscriptions"({ body }, state) {
      const { changeType, notificationUrl: url, resource: watched, clientState = "", expirationDateTime } = body ?? {};
      const [, ...found] = resource.exec(String(watched).replace(/^\//, "")) ?? invalid("Invalid resource.");
      if (
        !String(changeType)
          .split(",")
          .every((one) => changeTypes.includes(one))
      )
        invalid("Invalid changeType.");
      if (typeof url !== "string" || String(clientState).length > 128) invalid("The request is invalid.");
      const hook = registry.add(state, {
        id: graphGuid(9_100 + ++made),
        url,
        secret: String(clientState),
        expires: readExpiry(expirationDateTime),
        resource: String(watched),
        changeType,
        covers: (list, parameters) => covers(found, list, parameters),
      });
      const validationToken = `Validation: Testing client application reachability for subscription Request-Id: ${graphGuid(made)}`;
      return {
        ...show(hook, 201),
        handshake: {
          url,
          query: { validationToken },
          accepts: ({ status, headers, text }) =>
            status === 200 &&
            text === validationToken &&
            headers.get("content-type")?.startsWith("text/plain") === true,
          otherwise() {
            registry.remove(state, hook.id);
            return graphError(400, "ValidationError", "Subscription validation request failed.");
          },
        },
      };
    },
    "PATCH /v1.0/subscriptions/:subscription"({ params, body }, state) {
      const hook = find(state, params.subscription);
      hook.expires = readExpiry(body?.expirationDateTime);
      return show(hook, 200);
    },
    "DELETE /v1.0/subscriptions/:subscription"({ params }, state) {
      registry.remove(state, find(state, params.subscription).id);
      return reply(204);
    },
  };
  return { hooks, routes };
}
