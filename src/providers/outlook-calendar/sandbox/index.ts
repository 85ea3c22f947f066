import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { countWritten, emulate } from "../../../emulator-kit/emulator.ts";
import {
  collection,
  entity,
  errorReply,
  failures,
  graphEmulator,
  me,
  paginate,
} from "../../../emulator-kit/microsoft-graph.ts";
import { localTime } from "../../../provider-kit/event-time.ts";
import { ianaTimeZone } from "../../../provider-kit/windows-time-zones.ts";
import { changes } from "./changes.ts";
import { makeState, type State } from "./data.ts";
import { newEvent, type StoredEvent } from "./events.ts";
import { fromLocal } from "./time.ts";

const failure = failures({
  400: ["ErrorInvalidParameter", "The request is malformed or incorrect."],
  403: ["ErrorAccessDenied", "Access is denied. Check credentials and try again."],
  404: ["ErrorItemNotFound", "The specified object was not found in the store."],
  429: ["ApplicationThrottled", "Application is over its MailboxConcurrency limit."],
  500: ["ErrorInternalServerError", "An internal server error occurred. The operation failed."],
  503: ["ErrorServerBusy", "The server cannot service this request right now."],
});

const PAGES = { defaultSize: 10, maxSize: 1000, parameter: "$skip" } as const;

const byStart = ({ event: one }: StoredEvent, { event: other }: StoredEvent) =>
  one.start.dateTime === other.start.dateTime
    ? Number(one.id > other.id) - Number(one.id < other.id)
    : Number(one.start.dateTime > other.start.dateTime) - Number(one.start.dateTime < other.start.dateTime);

/** Everything that overlaps the window. https://learn.microsoft.com/en-us/graph/api/calendar-list-calendarview */
function listView(request: EmulatedRequest, { events }: State): EmulatedReply {
  const { query, params } = request;
  const all = events.get(params.calendar!);
  if (!all) return failure(404);
  const [from, to] = ["startDateTime", "endDateTime"].map((name) => Date.parse(query.get(name) ?? "")) as [
    number,
    number,
  ];
  if (Number.isNaN(from) || Number.isNaN(to))
    return errorReply(
      400,
      "ErrorInvalidParameter",
      "This request requires a time window specified by the query string parameters StartDateTime and EndDateTime.",
    );
  if (query.get("$orderby") !== "start/dateTime")
    return errorReply(400, "BadRequest", "The emulator sorts by start/dateTime only.");
  const found = all.filter(({ starts, ends }) => starts < to && (ends > from || starts === from)).sort(byStart);
  const page = paginate(
    found.map(({ event }) => event),
    request,
    PAGES,
  );
  return collection(`users('me')/calendars('${params.calendar}')/calendarView`, page);
}

/** A time zone by its Windows or IANA name; undefined if it is not one. */
function zoneOf(name: unknown): string | undefined {
  const zone = typeof name === "string" ? ianaTimeZone(name) : null;
  try {
    if (zone) localTime(0, zone);
  } catch {
    return undefined;
  }
  return zone ?? undefined;
}

function createEvent({ params, body }: EmulatedRequest, state: State): EmulatedReply {
  const { calendars, events } = state;
  const target = calendars.find(({ id }) => id === params.calendar);
  if (!target) return failure(404);
  if (!target.canEdit) return failure(403);
  const zone = zoneOf(body?.start?.timeZone);
  if (!zone || !zoneOf(body.end?.timeZone))
    return errorReply(
      400,
      "TimeZoneNotSupportedException",
      `A valid TimeZone value must be specified. The following TimeZone value is not supported: '${body?.start?.timeZone ?? ""}'.`,
    );
  const all = events.get(target.id)!;
  const repeated = all.find(({ event }) => event.transactionId && event.transactionId === body.transactionId)?.event;
  if (repeated)
    return repeated.subject === body.subject
      ? entity("events", repeated, 201)
      : errorReply(
          400,
          "ErrorDuplicateTransactionId",
          "Your request can't be completed. The TransactionId specified in the request has already been used to create a different event.",
        );
  const starts = fromLocal(body.start.dateTime, zone);
  const minutes = (fromLocal(body.end.dateTime, zoneOf(body.end.timeZone)!) - starts) / 60_000;
  if (!(minutes >= 0))
    return errorReply(
      400,
      "ErrorCalendarEndDateIsEarlierThanStartDate",
      "The End date that was specified is before the Start date.",
    );
  const created = newEvent(60_000 + countWritten(state), { ...body, minutes, zone });
  all.push(created);
  return entity("events", created.event, 201);
}

export default emulate<State>({
  ...graphEmulator,
  state: makeState,
  changes,
  failure,
  routes: {
    "GET /v1.0/me": me,
    "GET /v1.0/me/calendar": (_, { calendars }) => entity("users('me')/calendar", calendars[0]!),
    "GET /v1.0/me/calendars": (request, { calendars }) =>
      collection("users('me')/calendars", paginate(calendars, request, PAGES)),
    "GET /v1.0/me/calendars/:calendar/calendarView": listView,
    "POST /v1.0/me/calendars/:calendar/events": createEvent,
  },
});
