import {
  collection,
  countWritten,
  type EmulatedReply,
  emulate,
  graphEmulator,
  graphEntity,
  graphError,
  graphFailures,
  graphList,
  graphMe,
  graphPaginate,
  refuse,
} from "../../../emulator-kit/index.ts";
import { ianaTimeZone, localTime } from "../../../provider-kit/index.ts";
import { changes } from "./changes.ts";
import { makeState, type State } from "./data.ts";
import { attendee, type Event, htmlBody, plan, type StoredEvent } from "./events.ts";
import { hookRoutes, hooks } from "./hooks.ts";
import { fromLocal } from "./time.ts";

const failure = graphFailures({
  400: ["ErrorInvalidParameter", "The request is malformed or incorrect."],
  403: ["ErrorAccessDenied", "Access is denied. Check credentials and try again."],
  404: ["ErrorItemNotFound", "The specified object was not found in the store."],
  429: ["ApplicationThrottled", "Application is over its MailboxConcurrency limit."],
  500: ["ErrorInternalServerError", "An internal server error occurred. The operation failed."],
  503: ["ErrorServerBusy", "The server cannot service this request right now."],
});

const invalid = (code: string, message: string) => refuse(graphError(400, code, message));

const MAX_VIEW_DAYS = 1825;
const PAGES = { defaultSize: 10, maxSize: 1000, parameter: "$skip" } as const;

const calendars = collection({
  items: ({ calendars }: State) => calendars,
  parameter: "calendar",
  notFound: () => failure(404),
  page: (all, request) => graphList("users('me')/calendars", graphPaginate(all, request, PAGES)),
});

/** By the time of the start, then by the ID. */
const orderOf = ({ event }: StoredEvent) => event.start.dateTime + event.id;

/** Everything that overlaps the window. https://learn.microsoft.com/en-us/graph/api/calendar-list-calendarview */
const listView = calendars.below(({ id }, request, { events }): EmulatedReply => {
  const [from, to] = ["startDateTime", "endDateTime"].map((name) => {
    const time = Date.parse(request.query.get(name) ?? "");
    return Number.isNaN(time) ? invalid("ErrorInvalidParameter", `This request requires ${name}.`) : time;
  }) as [number, number];
  if (to - from > MAX_VIEW_DAYS * 86_400_000)
    invalid(
      "ErrorInvalidRequest",
      `Your request can't be completed. The range between the start and end dates is greater than the allowed range. Maximum number of days: ${MAX_VIEW_DAYS}`,
    );
  if (request.query.get("$orderby") !== "start/dateTime")
    invalid("BadRequest", "The emulator sorts by start/dateTime only.");
  const found = events
    .get(id)!
    .filter(({ starts, ends }) => starts < to && (ends > from || starts === from))
    .sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1))
    .map(({ event }) => event);
  return graphList(`users('me')/calendars('${id}')/calendarView`, graphPaginate(found, request, PAGES));
});

/** A time by its local time and the Windows or IANA name of its zone. */
function readTime(moment: { dateTime: string; timeZone: string } | undefined): { zone: string; time: number } {
  const zone = ianaTimeZone(moment?.timeZone);
  try {
    localTime(0, zone!);
  } catch {
    return invalid("TimeZoneNotSupportedException", `The TimeZone value is not supported: '${moment?.timeZone}'.`);
  }
  return { zone: zone!, time: fromLocal(moment!.dateTime, zone!) };
}

const createEvent = calendars.below((calendar, { body }, state): EmulatedReply => {
  if (!calendar.canEdit) return failure(403);
  const [start, end] = [readTime(body?.start), readTime(body?.end)];
  const all = state.events.get(calendar.id)!;
  const { transactionId = null, subject = "", isAllDay = false, location, attendees = [] } = body;
  const repeated = all.find(({ event }) => transactionId && event.transactionId === transactionId)?.event;
  if (repeated) {
    if (repeated.subject !== subject)
      invalid("ErrorDuplicateTransactionId", "The TransactionId has already been used.");
    return graphEntity("events", repeated, 201);
  }
  const minutes = (end.time - start.time) / 60_000;
  if (!(minutes >= 0)) invalid("ErrorCalendarEndDateIsEarlierThanStartDate", "The End date is before the Start date.");
  const now = new Date().toISOString();
  const fields: Partial<Event> = {
    ...{ subject, isAllDay, transactionId, createdDateTime: now, lastModifiedDateTime: now },
    ...(body.body && { body: htmlBody(body.body.content) }),
    ...(location && { location }),
    attendees: attendees.map(({ emailAddress: { address, name = address } }: Event["attendees"][number]) =>
      attendee({ emailAddress: { address, name } }, "none"),
    ),
  };
  const { dateTime: at, timeZone: zoneName } = body.start;
  const created = plan({ seed: 60_000 + countWritten(state), at, zone: start.zone, zoneName, minutes, fields });
  all.push(created);
  return graphEntity("events", created.event, 201);
});

export default emulate<State>({
  ...graphEmulator,
  state: makeState,
  changes,
  hooks,
  failure,
  routes: {
    "GET /v1.0/me": graphMe,
    "GET /v1.0/me/calendar": (_, { calendars }) => graphEntity("users('me')/calendar", calendars[0]!),
    "GET /v1.0/me/calendars": calendars.list,
    "GET /v1.0/me/calendars/:calendar/calendarView": listView,
    "POST /v1.0/me/calendars/:calendar/events": createEvent,
    ...hookRoutes,
  },
});
