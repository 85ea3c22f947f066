import {
  collection,
  type EmulatedReply,
  type EmulatedRequest,
  emulate,
  googleEmulator,
  googleFailureWithReason,
  googleFields,
  googlePage,
  refuse,
  reply,
} from "../../../emulator-kit/index.ts";
import { changes } from "./changes.ts";
import { ME, makeState, type State, type StoredEvent } from "./data.ts";
import { hookRoutes, hooks, watchEvents } from "./hooks.ts";
import { mcp } from "./mcp.ts";
import { readNewEvent } from "./new-event.ts";

/** RFC 3339 with an offset. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

const badRequest = (parameter: string, message = "Bad Request") => googleFailureWithReason(400, { message, parameter });
const notFound = () => googleFailureWithReason(404, { message: "Not Found" });

const PAGES = { size: "maxResults", refusal: badRequest };

const calendars = collection({
  items: ({ calendars }: State) => calendars.filter(({ deleted }) => !deleted),
  parameter: "calendar",
  names: ({ id, primary }) => [id, primary && "primary"],
  notFound,
  select: (all) => all.filter(({ hidden }) => !hidden),
  page(found, request) {
    const options = { ...PAGES, defaultSize: 100, maxSize: 250, sameParameters: [] };
    const { page, nextPageToken } = googlePage(found, request, options);
    return reply(200, { kind: "calendar#calendarList", nextPageToken, items: page });
  },
  show: (calendar, { query }) => googleFields(calendar, query.get("fields")),
});

/** Milliseconds are ignored. */
function readTime({ query }: EmulatedRequest, name: string): number | undefined {
  const time = query.get(name);
  if (time === null) return undefined;
  return TIME.test(time) ? Math.floor(Date.parse(time) / 1000) * 1000 : refuse(badRequest(name));
}

/** Which events a request asks for. */
function filterOf(request: EmulatedRequest): (stored: StoredEvent) => boolean {
  const [from = -Infinity, to = Infinity] = [readTime(request, "timeMin"), readTime(request, "timeMax")];
  if (to <= from) refuse(badRequest("timeMax", "The specified time range is empty."));
  const single = request.query.get("singleEvents") === "true";
  const withDeleted = request.query.get("showDeleted") === "true";
  return ({ event, role, start, end }) =>
    (single ? role !== "series" : role !== "instance") &&
    (withDeleted || event.status !== "cancelled") &&
    end > from &&
    start < to;
}

const listEvents = calendars.below(({ id, summary, timeZone }, request, { events }): EmulatedReply => {
  const { query } = request;
  const wanted = events.get(id)!.filter(filterOf(request));
  if (query.get("orderBy") === "startTime") {
    if (query.get("singleEvents") !== "true")
      refuse(badRequest("orderBy", "The requested ordering is not available for the particular query."));
    wanted.sort((one, other) => one.start - other.start);
  }
  const { page, nextPageToken } = googlePage(wanted, request, {
    ...PAGES,
    defaultSize: 250,
    maxSize: 2500,
    sameParameters: ["timeMin", "timeMax", "singleEvents", "showDeleted", "orderBy"],
    shortPages: true,
  });
  const items = page.map(({ event }) => event);
  const body = { kind: "calendar#events", summary, timeZone, nextPageToken, items };
  return reply(200, googleFields(body, query.get("fields")));
});

const createEvent = calendars.below((calendar, { body }, state) => {
  if (calendar.accessRole === "reader")
    return googleFailureWithReason(403, {
      domain: "calendar",
      reason: "requiredAccessLevel",
      message: "You need to have writer access to this calendar.",
    });
  const created = readNewEvent(body ?? {}, calendar);
  const events = state.events.get(calendar.id)!;
  if (events.some(({ event }) => event.id === created.event.id))
    return googleFailureWithReason(409, { reason: "duplicate", message: "The requested identifier already exists." });
  events.push(created);
  return reply(200, created.event);
});

export default emulate<State>({
  ...googleEmulator,
  state: makeState,
  changes,
  hooks,
  failure: (status) => googleFailureWithReason(status),
  routes: {
    "GET /v1/userinfo": () => reply(200, ME),
    "GET /calendar/v3/users/me/calendarList": calendars.list,
    "GET /calendar/v3/users/me/calendarList/:calendar": calendars.get,
    "GET /calendar/v3/calendars/:calendar/events": listEvents,
    "GET /calendar/v3/calendars/:calendar/events/:event": calendars.below(({ id }, { params }, { events }) => {
      const found = events.get(id)!.find(({ event }) => event.id === params.event);
      return found ? reply(200, found.event) : notFound();
    }),
    "POST /calendar/v3/calendars/:calendar/events": createEvent,
    "POST /calendar/v3/calendars/:calendar/events/watch": calendars.below(watchEvents),
    ...hookRoutes,
  },
  mcp,
});
