import { changeableList, eventParameters, eventWindow } from "../../../emulator-kit/index.ts";
import { HOUR_MS, ME, type State, singleEvent } from "./data.ts";

const calendarOf = ({ calendars }: State, { calendar_id = "primary" }: Record<string, string>) =>
  calendars.find(({ id, deleted }) => id === (calendar_id === "primary" ? ME.email : calendar_id) && !deleted);

const calendars = changeableList({
  items: ({ calendars }: State) => calendars,
  isShown: ({ hidden, deleted }) => !hidden && !deleted,
  keeps: ({ events }) => [...events].flatMap(([id, found]) => (found.length > 0 ? id : [])),
  // The user's own name for a calendar comes before the calendar's.
  update: ({ title }) => ({ summary: title, summaryOverride: title }),
  create: ({ nth }) => ({ id: `c_created${nth}@group.calendar.google.com`, primary: false }),
  markDeleted: () => ({ deleted: true }),
  onCreate: ({ id }, { events }) => void events.set(id, []),
});

/** Those that are not part of a series. */
const events = changeableList({
  items(state: State, parameters) {
    const calendar = calendarOf(state, parameters);
    return calendar && eventWindow(parameters) && state.events.get(calendar.id);
  },
  parameters: eventParameters,
  shows(_, parameters) {
    const { from, to } = eventWindow(parameters)!;
    return ({ role, event, start }) =>
      role === "single" && event.status !== "cancelled" && !event.start?.date && start >= from && start < to;
  },
  sample: ({ events }) => events.get(ME.email)?.find(({ role }) => role === "single"),
  id: ({ event }) => event.id,
  update: ({ title, time }, { event }) => ({
    event: { ...event, summary: title, extendedProperties: { shared: { note: title } }, updated: time },
  }),
  create({ nth, title, now }, _, state, parameters) {
    const { from: start } = eventWindow(parameters)!;
    const made = { seed: 5_000_000 + nth, created: now, start, end: start + HOUR_MS };
    return singleEvent(calendarOf(state, parameters)!, made, { summary: title });
  },
  // https://developers.google.com/workspace/calendar/api/v3/reference/events/delete
  impossible: { delete: "a deleted event stays in the list as cancelled, which is an update" },
});

export const changes = { "calendar.listCalendars": calendars, "calendar.listEvents": events };
