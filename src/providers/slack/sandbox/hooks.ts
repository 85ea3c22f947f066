import type { EmulatedHooks, HookedChange } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { APP_ID, BOT, TEAM } from "./messages.ts";

/** https://docs.slack.dev/reference/events */
const EVENTS: Record<string, (change: HookedChange) => object> = {
  "chat.listMessages"({ kind, id, parameters: { channel_id: channel } }) {
    const message = { type: "message", channel, channel_type: "channel", event_ts: id };
    if (kind === "create") return { ...message, ts: id, user: BOT.user, text: "Created on command" };
    if (kind === "delete") return { ...message, subtype: "message_deleted", deleted_ts: id };
    return { ...message, subtype: "message_changed", message: { type: "message", ts: id } };
  },
  "chat.listChannels"({ kind, id }) {
    if (kind === "delete") return { type: "channel_deleted", channel: id };
    return { type: kind === "create" ? "channel_created" : "channel_rename", channel: { id } };
  },
  "chat.listUsers": ({ kind, id }) => ({ type: kind === "create" ? "team_join" : "user_change", user: { id } }),
};

/** https://docs.slack.dev/apis/events-api */
export const hooks: EmulatedHooks<State> = {
  request(change) {
    const event = EVENTS[change.list]?.(change);
    return (
      event && {
        body: {
          token: "sandbox",
          team_id: TEAM.id,
          api_app_id: APP_ID,
          event,
          type: "event_callback",
          event_id: `Ev${change.now.getTime()}`,
          event_time: Math.floor(change.now.getTime() / 1000),
          authorizations: [
            { enterprise_id: null, team_id: TEAM.id, user_id: BOT.user, is_bot: true, is_enterprise_install: false },
          ],
        },
      }
    );
  },
  challenge: () => ({ body: { token: "sandbox", challenge: crypto.randomUUID(), type: "url_verification" } }),
};
