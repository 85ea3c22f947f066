import {
  type CategoryImplementation,
  type calendar,
  defined,
  eventTimes,
  type InputOf,
  isRepeatedHour,
  localTime,
  markdownToHtml,
  one,
  path,
  post,
} from "../../provider-kit/index.ts";
import { calendarId, type GraphEvent, IN_UTC, toEvent } from "./records.ts";

type Input = InputOf<typeof calendar.operations.createEvent>;

/** Times are local to the zone and have no offset, so an hour that clocks show twice is sent in UTC. */
function moment(time: string, zone: string, isAllDay: boolean) {
  if (isAllDay) return { dateTime: `${time}T00:00:00`, timeZone: zone };
  const exact = isRepeatedHour(time, zone) ? "UTC" : zone;
  return { dateTime: localTime(time, exact), timeZone: exact };
}

/** Graph creates no second event with the same one. https://learn.microsoft.com/en-us/graph/api/resources/event */
const transactionId = (writeKey: string) => writeKey.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, "$1-$2-$3-$4-$5");

/** What is sent to create an event. */
export function newEvent(input: Input, writeKey: string) {
  const { isAllDay, start, end } = eventTimes(input);
  const zone = input.time_zone ?? "UTC";
  return defined({
    subject: input.title,
    start: moment(start, zone, isAllDay),
    end: moment(end, zone, isAllDay),
    isAllDay,
    body: input.description && { contentType: "html", content: markdownToHtml(input.description) ?? "" },
    location: input.location && { displayName: input.location },
    attendees: input.attendees?.map(({ email, name }) => ({
      emailAddress: { address: email, name },
      type: "required",
    })),
    transactionId: transactionId(writeKey),
  });
}

export const writes: CategoryImplementation<typeof calendar.operations> = {
  // https://learn.microsoft.com/en-us/graph/api/calendar-post-events
  createEvent: one({
    load: async ({ input, upstream, write, writeKey }) => {
      const body = newEvent(input, writeKey);
      const id = await calendarId(input.calendar_id, upstream);
      const created = await write<GraphEvent>(post(path`/me/calendars/${id}/events`, body, {}, { headers: IN_UTC }));
      return { event: created.body, calendar: id };
    },
    record: ({ event, calendar: id }) => toEvent(event, id),
    original: ({ event }) => event,
  }),
};
