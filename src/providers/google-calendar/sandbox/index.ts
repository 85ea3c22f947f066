import type { EmulatedReply, EmulatedRequest } from "../../../contracts/emulator.ts";
import { emulate, isReply, reply } from "../../../emulator-kit/emulator.ts";
import {
  failureWithReason,
  googleHeaders,
  googlePage,
  googleTokenFailure,
  selectFields,
} from "../../../emulator-kit/google.ts";
import { changes } from "./changes.ts";
import { ME, makeState, type State, type StoredEvent } from "./data.ts";
import { mcp } from "./mcp.ts";
import { readNewEvent } from "./new-event.ts";

/** RFC 3339 with an offset. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

const badRequest = (parameter: string, message = "Bad Request") => failureWithReason(400, { message, parameter });
const notFound = () => failureWithReason(404, { message: "Not Found" });
const isTrue = ({ query }: EmulatedRequest, name: string) => query.get(name) === "true";

function listCalendars(request: EmulatedRequest, { calendars }: State): EmulatedReply {
  const shown = calendars.filter(
    ({ hidden, deleted }) => (!hidden || isTrue(request, "showHidden")) && (!deleted || isTrue(request, "showDeleted")),
  );
  const found = googlePage(shown, request, {
    size: "maxResults",
    defaultSize: 100,
    maxSize: 250,
    sameParameters: ["showHidden", "showDeleted", "minAccessRole"],
  });
  if ("invalid" in found) return badRequest(found.invalid);
  const sync = found.nextPageToken.nextPageToken ? {} : { nextSyncToken: "CPDAlvWDx70CEPDAlvWDx70CGAU=" };
  const body = { kind: "calendar#calendarList", etag: '"p32ofplf5q6gf20g"', ...found.nextPageToken, ...sync };
  return reply(200, { ...body, items: found.page });
}

const findCalendar = ({ params }: EmulatedRequest, { calendars }: State) => {
  const id = params.calendar === "primary" ? ME.email : params.calendar;
  return calendars.find((calendar) => calendar.id === id && !calendar.deleted);
};

function getCalendar(request: EmulatedRequest, state: State): EmulatedReply {
  const calendar = findCalendar(request, state);
  return calendar ? reply(200, selectFields(calendar, request.query.get("fields"))) : notFound();
}

/** Milliseconds are ignored. */
const seconds = (time: string) => Math.floor(Date.parse(time) / 1000) * 1000;

/** Which events a request asks for, or the failure that it gets. */
function filterOf(request: EmulatedRequest): ((stored: StoredEvent) => boolean) | EmulatedReply {
  const { query } = request;
  const [timeMin, timeMax, updatedMin] = ["timeMin", "timeMax", "updatedMin"].map((name) => query.get(name));
  for (const name of ["timeMin", "timeMax", "updatedMin"])
    if (query.has(name) && !TIME.test(query.get(name)!)) return badRequest(name);
  if (timeMin && timeMax && seconds(timeMax) <= seconds(timeMin))
    return failureWithReason(400, {
      domain: "calendar",
      reason: "timeRangeEmpty",
      message: "The specified time range is empty.",
      parameter: "timeMax",
    });
  const single = isTrue(request, "singleEvents");
  const withDeleted = isTrue(request, "showDeleted") || Boolean(updatedMin);
  return ({ event, role, start, end }) =>
    (single ? role !== "series" : role !== "instance") &&
    (withDeleted || event.status !== "cancelled") &&
    (!timeMin || end > seconds(timeMin)) &&
    (!timeMax || start < seconds(timeMax)) &&
    (!updatedMin || Date.parse(event.updated ?? "") >= Date.parse(updatedMin));
}

function listEvents(request: EmulatedRequest, state: State): EmulatedReply {
  const { query } = request;
  const calendar = findCalendar(request, state);
  if (!calendar) return notFound();
  const filter = filterOf(request);
  if (typeof filter !== "function") return filter;
  const order = query.get("orderBy");
  if (order === "startTime" && !isTrue(request, "singleEvents"))
    return badRequest("orderBy", "The requested ordering is not available for the particular query.");
  const wanted = (state.events.get(calendar.id) ?? []).filter(filter);
  if (order === "startTime") wanted.sort((one, other) => one.start - other.start);
  const found = googlePage(wanted, request, {
    size: "maxResults",
    defaultSize: 250,
    maxSize: 2500,
    sameParameters: ["timeMin", "timeMax", "updatedMin", "singleEvents", "showDeleted", "orderBy"],
    shortPages: true,
  });
  if ("invalid" in found) return badRequest(found.invalid);
  return reply(200, {
    kind: "calendar#events",
    etag: '"p32g8dfq6r6gf20o"',
    summary: calendar.summary,
    updated: "2026-06-30T12:00:00.000Z",
    timeZone: calendar.timeZone,
    accessRole: calendar.accessRole,
    defaultReminders: [],
    ...found.nextPageToken,
    items: found.page.map(({ event }) => event),
  });
}

function getEvent(request: EmulatedRequest, state: State): EmulatedReply {
  const calendar = findCalendar(request, state);
  const events = (calendar && state.events.get(calendar.id)) ?? [];
  const found = events.find(({ event }) => event.id === request.params.event);
  return found ? reply(200, found.event) : notFound();
}

function createEvent(request: EmulatedRequest, state: State): EmulatedReply {
  const calendar = findCalendar(request, state);
  if (!calendar) return notFound();
  if (calendar.accessRole === "reader")
    return failureWithReason(403, {
      domain: "calendar",
      reason: "requiredAccessLevel",
      message: "You need to have writer access to this calendar.",
    });
  const events = state.events.get(calendar.id)!;
  const created = readNewEvent(request.body ?? {}, calendar);
  if (isReply(created)) return created;
  if (events.some(({ event }) => event.id === created.event.id))
    return failureWithReason(409, { reason: "duplicate", message: "The requested identifier already exists." });
  events.push(created);
  return reply(200, created.event);
}

export default emulate<State>({
  state: makeState,
  changes,
  failure: (status) => failureWithReason(status),
  headers: googleHeaders,
  routes: {
    "GET /v1/userinfo": () =>
      reply(200, { sub: ME.id, name: ME.name, email: ME.email, email_verified: true, picture: ME.picture }),
    "GET /calendar/v3/users/me/calendarList": listCalendars,
    "GET /calendar/v3/users/me/calendarList/:calendar": getCalendar,
    "GET /calendar/v3/calendars/:calendar/events": listEvents,
    "GET /calendar/v3/calendars/:calendar/events/:event": getEvent,
    "POST /calendar/v3/calendars/:calendar/events": createEvent,
  },
  mcp,
  tokenFailure: googleTokenFailure,
});
