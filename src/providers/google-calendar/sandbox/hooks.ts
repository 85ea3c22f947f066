import {
  type EmulatedReply,
  type EmulatedRequest,
  type EmulatedRoute,
  googleChannels,
} from "../../../emulator-kit/index.ts";
import { path } from "../../../provider-kit/index.ts";
import type { State } from "./data.ts";

const channels = googleChannels("exists");
export const { hooks } = channels;

/** https://developers.google.com/workspace/calendar/api/v3/reference/events/watch */
export const watchEvents = (
  { id, primary }: State["calendars"][number],
  request: EmulatedRequest,
  state: State,
): EmulatedReply =>
  channels.watch(
    request,
    state,
    `${path`/calendar/v3/calendars/${id}/events`}?alt=json`,
    (list, { calendar_id = "primary" }) =>
      list === "calendar.listEvents" && (calendar_id === id || (primary === true && calendar_id === "primary")),
  );

export const hookRoutes: Record<string, EmulatedRoute<State>> = {
  "POST /calendar/v3/users/me/calendarList/watch": (request, state) =>
    channels.watch(
      request,
      state,
      "/calendar/v3/users/me/calendarList?alt=json",
      (list) => list === "calendar.listCalendars",
    ),
  "POST /calendar/v3/channels/stop": channels.stop,
};
