import { changeableList, eventParameters, eventWindow } from "../../../emulator-kit/index.ts";
import type { State } from "./data.ts";
import { outlookId, plan } from "./events.ts";

const calendars = changeableList({
  items: ({ calendars }: State) => calendars,
  keeps: ({ events }) => [...events].flatMap(([id, found]) => (found.length > 0 ? id : [])),
  update: ({ title }) => ({ name: title }),
  create: ({ nth }) => ({ id: outlookId(5_000_000 + nth), isDefaultCalendar: false, isRemovable: true }),
  onCreate: ({ id }, { events }) => void events.set(id, []),
});

/** Those that are not part of a series. */
const events = changeableList({
  items: ({ events, calendars }: State, parameters) =>
    eventWindow(parameters) && events.get(parameters.calendar_id ?? calendars[0]!.id),
  parameters: eventParameters,
  shows(_, parameters) {
    const { from, to } = eventWindow(parameters)!;
    return ({ event, starts }) => event.type === "singleInstance" && !event.isAllDay && starts >= from && starts < to;
  },
  sample: ({ events, calendars }) => events.get(calendars[0]!.id)?.[0],
  id: ({ event }) => event.id,
  update: ({ title, time }, { event }) => ({ event: { ...event, subject: title, lastModifiedDateTime: time } }),
  create({ nth, title, time }, _, __, parameters) {
    const at = new Date(eventWindow(parameters)!.from).toISOString().slice(0, 19);
    const fields = { subject: title, createdDateTime: time, lastModifiedDateTime: time };
    return plan({ seed: 5_000_000 + nth, at, zone: "UTC", minutes: 60, fields });
  },
});

export const changes = { "calendar.listCalendars": calendars, "calendar.listEvents": events };
