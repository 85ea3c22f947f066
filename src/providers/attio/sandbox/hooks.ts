import { randomUUID } from "node:crypto";
import { type EmulatedHooks, type EmulatedRoute, hookRegistry, refuse, reply } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { failure, invalid } from "./errors.ts";
import { MEMBER, OBJECTS, type ObjectName, time, uuid, WORKSPACE } from "./values.ts";

const registry = hookRegistry();

const LISTS: Record<string, ObjectName> = {
  "crm.listContacts": "people",
  "crm.listCompanies": "companies",
  "crm.listDeals": "deals",
};

/** https://docs.attio.com/rest-api/guides/webhooks */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id }) {
    const object = LISTS[list];
    if (!object) return undefined;
    const event = {
      event_type: `record.${kind}d`,
      id: {
        workspace_id: WORKSPACE,
        object_id: OBJECTS[object].id,
        record_id: id,
        ...(kind === "update" && { attribute_id: uuid(10_020) }),
      },
      actor: { type: "workspace-member", id: MEMBER },
    };
    return { headers: { "idempotency-key": randomUUID() }, body: { webhook_id: uuid(10_021), events: [event] } };
  },
};

/** Only a filter by the ID of the object is emulated. */
const objectIn = (filter: { $and?: { field?: string; operator?: string; value?: string }[] } | null | undefined) =>
  filter?.$and?.find(({ field, operator }) => field === "id.object_id" && operator === "equals")?.value;

export const hookRoutes: Record<string, EmulatedRoute<State>> = {
  "GET /v2/objects/:object"({ params }) {
    const name = params.object as ObjectName;
    if (!Object.hasOwn(OBJECTS, name)) return failure(404);
    return reply(200, {
      data: {
        id: { workspace_id: WORKSPACE, object_id: OBJECTS[name].id },
        api_slug: name,
        singular_noun: OBJECTS[name].page,
        plural_noun: name,
        created_at: time(1),
      },
    });
  },
  "POST /v2/webhooks"({ body }, state) {
    const { target_url, subscriptions } = body?.data ?? {};
    if (!URL.canParse(target_url) || !Array.isArray(subscriptions)) refuse(invalid("target_url is not valid"));
    const watched = subscriptions.map(({ filter }) => objectIn(filter));
    const secret = randomUUID();
    const { id } = registry.add(state, {
      id: randomUUID(),
      url: target_url,
      secret,
      covers: (list) => watched.some((object) => object === undefined || object === OBJECTS[LISTS[list]!]?.id),
    });
    return reply(200, {
      data: {
        ...{ target_url, subscriptions, secret, status: "active", created_at: time("now") },
        id: { workspace_id: WORKSPACE, webhook_id: id },
      },
    });
  },
  "DELETE /v2/webhooks/:webhook": ({ params }, state) =>
    registry.remove(state, params.webhook!) ? reply(200, {}) : failure(404),
};
