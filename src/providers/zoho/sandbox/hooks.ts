import {
  type ChangeKind,
  type EmulatedHooks,
  type EmulatedReply,
  type EmulatedRoute,
  hookRegistry,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { API_DOMAIN, type State, zohoTime } from "./data.ts";

const registry = hookRegistry();

const MODULES: Record<string, keyof State> = {
  "crm.listContacts": "Contacts",
  "crm.listCompanies": "Accounts",
  "crm.listDeals": "Deals",
};
const OPERATIONS: Record<ChangeKind, string> = { create: "insert", update: "update", delete: "delete" };
const HOUR_MS = 3_600_000;

const addressOf = (module: string) => `https://${API_DOMAIN}/crm/v8/${module}`;

/** https://www.zoho.com/crm/developer/docs/api/v8/notifications/enable.html */
export const hooks: EmulatedHooks<State> = {
  registered: registry.registered,
  request({ list, kind, id, now }, _, { secret }) {
    const module = MODULES[list];
    if (!module) return undefined;
    return {
      body: {
        server_time: now.getTime(),
        query_params: {},
        module,
        resource_uri: addressOf(module),
        ids: [String(id)],
        affected_fields: [],
        operation: OPERATIONS[kind],
        channel_id: "1000000068001",
        token: secret,
      },
    };
  },
};

/** An expiry that is missing or too late becomes one in an hour. */
function expiryOf(channel_expiry: unknown): Date {
  const asked = Date.parse(String(channel_expiry));
  return new Date(asked <= Date.now() + 24 * HOUR_MS ? asked : Date.now() + HOUR_MS);
}

const result = (status: number, code: string, message: string, details: object): EmulatedReply =>
  reply(status, { watch: [{ code, details, message, status: code === "SUCCESS" ? "success" : "error" }] });

/** An error of one channel has status 202. */
const problem = (code: string, message: string, details: object) => result(202, code, message, details);

export const hookRoutes: Record<string, EmulatedRoute<State>> = {
  "POST /crm/v8/actions/watch"({ body }, state) {
    const [{ channel_id, channel_expiry, events, notify_url, token = "" }] = body?.watch ?? [{}];
    for (const [api_name, isValid] of Object.entries({
      channel_id: /^\d+$/.test(channel_id),
      events: Array.isArray(events),
      notify_url: URL.canParse(notify_url),
      token: token.length <= 50,
    }))
      if (!isValid) refuse(problem("INVALID_DATA", "invalid data", { api_name }));
    const expires = expiryOf(channel_expiry);
    const modules: string[] = events.map((event: string) => event.replace(/\.all$/, ""));
    registry.add(state, {
      ...{ id: channel_id, url: notify_url, secret: token, expires },
      covers: (list) => modules.includes(MODULES[list] ?? ""),
    });
    const watched = modules.map((module, index) => ({
      channel_expiry: zohoTime(expires),
      resource_uri: addressOf(module),
      resource_id: `487687600000000200${index}`,
      resource_name: module,
      channel_id,
    }));
    return result(201, "SUCCESS", "Successfully subscribed for actions-watch of the given module", { events: watched });
  },
  "DELETE /crm/v8/actions/watch"({ query }, state) {
    const channel_id = query.get("channel_ids") ?? "";
    if (!registry.remove(state, channel_id)) return problem("NOT_SUBSCRIBED", "Not subscribed", { channel_id });
    return result(200, "SUCCESS", "Successfully un-subscribed from actions-watch", { channel_id });
  },
};
