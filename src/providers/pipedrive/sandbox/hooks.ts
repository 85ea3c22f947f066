import { randomUUID } from "node:crypto";
import {
  type EmulatedHooks,
  type EmulatedReply,
  type EmulatedRoute,
  hookRegistry,
  refuse,
  reply,
  toSecond,
} from "../../../emulator-kit/index.ts";
import { currentUser, type State } from "./data.ts";

const registry = hookRegistry();

const OBJECTS: Record<string, string> = {
  "crm.listContacts": "person",
  "crm.listCompanies": "organization",
  "crm.listDeals": "deal",
};

/** https://pipedrive.readme.io/docs/guide-for-webhooks-v2 */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, now }) {
    const entity = OBJECTS[list];
    if (!entity) return undefined;
    const meta = {
      action: kind === "update" ? "change" : kind,
      entity,
      entity_id: String(id),
      id: randomUUID(),
      timestamp: now.toISOString(),
      version: "2.0",
      attempt: 1,
    };
    return { body: { meta, data: kind === "delete" ? null : { id: Number(id) }, previous: null } };
  },
};

/** The errors of webhooks have a format of their own. */
const invalid = (status: number, field: string, problem: string): EmulatedReply =>
  reply(status, { status: "error", success: false, errors: { [field]: [problem] } });

export const hookRoutes: Record<string, EmulatedRoute<State>> = {
  "POST /api/v1/webhooks"({ body }, state) {
    const { name, subscription_url, event_action, event_object, version = "2.0" } = body ?? {};
    const { http_auth_user = null, http_auth_password = null } = body ?? {};
    if (!name) refuse(invalid(400, "name", "is required"));
    if (!URL.canParse(subscription_url)) refuse(invalid(400, "subscription_url", "is not a valid url"));
    const id = registry.nextId();
    registry.add(state, {
      id,
      url: subscription_url,
      secret: http_auth_password ?? "",
      covers: (list) => event_action === "*" && [OBJECTS[list], "*"].includes(event_object),
    });
    const data = {
      id: Number(id),
      ...{ company_id: currentUser.company_id, owner_id: currentUser.id, user_id: currentUser.id },
      ...{ admin_id: currentUser.id, type: "general", name, version },
      ...{ event_action, event_object, subscription_url, http_auth_user, http_auth_password, is_active: 1 },
      ...{ add_time: toSecond(new Date()), remove_time: null, remove_reason: null },
      ...{ last_delivery_time: null, last_http_status: null },
    };
    return reply(201, { status: "ok", success: true, data });
  },
  "DELETE /api/v1/webhooks/:id": ({ params }, state) =>
    registry.remove(state, params.id!) ? reply(200, { status: "ok", success: true }) : invalid(404, "id", "not found"),
};
