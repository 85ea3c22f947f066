import {
  type CategoryImplementation,
  type calendar,
  eventTimes,
  markdownToHtml,
  one,
  path,
  post,
} from "../../provider-kit/index.ts";
import { type GoogleEvent, PRIMARY, toEvent } from "./records.ts";

/** In a description, Google shows line ends between elements as well. */
const toHtml = (markdown: string | undefined) => markdownToHtml(markdown)?.replace(/>\n(?=<|$)/g, ">");

/** The calendar that an event was created in is its organizer. */
const calendarOf = ({ organizer }: GoogleEvent, given = PRIMARY) =>
  given === PRIMARY && organizer?.self && organizer.email ? organizer.email : given;

export const writes: CategoryImplementation<typeof calendar.operations> = {
  // The ID of an event may be chosen, from the digits 0-9 and the letters a-v, so that none is created twice.
  // https://developers.google.com/workspace/calendar/api/v3/reference/events/insert
  createEvent: one({
    request: ({ input, writeKey }) => {
      const { isAllDay, start, end } = eventTimes(input);
      const toTime = (value: string) => (isAllDay ? { date: value } : { dateTime: value, timeZone: input.time_zone });
      const { calendar_id = PRIMARY, title, description, location, attendees } = input;
      const body = {
        id: writeKey,
        summary: title,
        description: toHtml(description),
        location,
        start: toTime(start),
        end: toTime(end),
        attendees: attendees?.map(({ email, name }) => ({ email, displayName: name })),
      };
      // Otherwise the attendees would not learn of the event, and it may be missing in their calendars.
      const query = attendees?.length ? { sendUpdates: "all" } : {};
      return post(path`/calendars/${calendar_id}/events`, body, {}, { query });
    },
    record: (event: GoogleEvent, { input }) => toEvent(event, { id: calendarOf(event, input.calendar_id) }),
  }),
};
