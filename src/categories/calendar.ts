import Type, { type Static } from "typebox";
import { category, create, list } from "./define.ts";
import { Body, Given, GivenText, Nullable, NullableText, NullableTimestamp, OneOf, Shape, Text } from "./schema.ts";

export const Calendar = Shape("Calendar", {
  id: Text(),
  name: Text(),
  is_primary: Type.Boolean({ description: "Whether it is the user's main calendar" }),
  time_zone: NullableText("IANA name, as in `Europe/Berlin`"),
});
export type Calendar = Static<typeof Calendar>;

export const CalendarEvent = Shape("CalendarEvent", {
  id: Text(),
  title: NullableText(),
  description: NullableText("In Markdown"),
  start_date: Text("ISO 8601 in UTC; the first day as `2026-03-29` if the event lasts all day"),
  end_date: Text("ISO 8601 in UTC; the day after the last one if the event lasts all day"),
  status: OneOf(["confirmed", "tentative", "cancelled"]),
  url: NullableText("Page of the event"),
  location: NullableText(),
  is_all_day: Type.Boolean(),
  time_zone: NullableText("Where the event was planned: IANA name, as in `Europe/Berlin`"),
  organizer: Nullable(
    Type.Object({ name: NullableText(), email: NullableText("Email address") }, { additionalProperties: false }),
  ),
  attendees: Type.Array(
    Type.Object(
      {
        name: NullableText(),
        email: NullableText("Email address"),
        response: OneOf(["accepted", "declined", "tentative", "none"], "`none`: not answered yet"),
      },
      { additionalProperties: false },
    ),
  ),
  recurring_event_id: NullableText("ID of the series that the event is an instance of"),
  calendar_id: Text(),
  created_at: NullableTimestamp(),
  updated_at: NullableTimestamp(),
});
export type CalendarEvent = Static<typeof CalendarEvent>;

const DAY_OR_TIME = "^\\d{4}-\\d{2}-\\d{2}(T.+)?$";
const GivenDate = (description: string) => Type.String({ pattern: DAY_OR_TIME, maxLength: 40, description });

const NewEvent = Body({
  title: Given(255, "One line"),
  start_date: GivenDate("ISO 8601; a day as `2026-03-29` if the event lasts all day"),
  end_date: GivenDate("ISO 8601; the day after the last one if the event lasts all day"),
  calendar_id: Type.Optional(Given(1_000, "An `id` from the list of calendars. Default: the user's main calendar")),
  description: Type.Optional(GivenText("In Markdown")),
  location: Type.Optional(Given(1_000, "Where it takes place")),
  is_all_day: Type.Optional(Type.Boolean({ default: false })),
  time_zone: Type.Optional(Given(100, "Where the event is planned: IANA name, as in `Europe/Berlin`")),
  attendees: Type.Optional(
    Type.Array(
      Body({
        email: Type.String({ format: "email", maxLength: 255, description: "Email address" }),
        name: Type.Optional(Given(255, "Name")),
      }),
      { maxItems: 200 },
    ),
  ),
});

export const calendar = category(
  "calendar",
  "Calendar",
  {
    calendar_id: {
      description: "ID of the calendar, as returned by the list of calendars",
      source: { operation: "listCalendars", field: "id" },
    },
  },
  {
    listCalendars: list("/calendars", Calendar, "List calendars"),
    listEvents: list("/events", CalendarEvent, "List a calendar's events", {
      description:
        "Every event that starts in the window, with each instance of a recurring event by itself. An event that lasts all day starts at midnight UTC.",
      query: {
        starts_after: Type.String({
          format: "date-time",
          example: "2026-01-01T00:00:00Z",
          description: "Only events that start at or after this time",
        }),
        starts_before: Type.String({
          format: "date-time",
          example: "2026-07-01T00:00:00Z",
          description: "Only events that start before this time",
        }),
        calendar_id: Type.Optional(
          Type.String({
            minLength: 1,
            description: "The calendar: an `id` from the list of calendars. Default: the user's main calendar",
          }),
        ),
      },
    }),
    createEvent: create("/events", NewEvent, CalendarEvent, "Create an event", {
      sample: {
        title: "Meeting at Café Zoë",
        start_date: "2026-03-30T09:00:00Z",
        end_date: "2026-03-30T10:30:00Z",
        description: "Agenda: *numbers* first",
        attendees: [{ email: "zoe@example.com", name: "Zoë" }],
      },
    }),
  },
);
