import { describe, expect, test } from "vitest";
import { type GoogleEvent, startTime, toEvent } from "./records.ts";

const calendar = { id: "ada@example.com", timeZone: "Europe/Berlin" };
const record = (event: Partial<GoogleEvent>) =>
  toEvent({ id: "a", start: { dateTime: "2026-03-29T01:30:00+01:00" }, ...event }, calendar);

describe("an event", () => {
  test("an event with every field is mapped", () => {
    expect(
      record({
        status: "tentative",
        summary: " Grüße ",
        description: "Plain",
        location: "Köln",
        htmlLink: "https://www.google.com/calendar/event?eid=x",
        start: { dateTime: "2026-03-29T01:30:00+01:00", timeZone: "Europe/Paris" },
        end: { dateTime: "2026-03-29T03:30:00+02:00", timeZone: "Europe/Paris" },
        organizer: { email: "zoe@example.com", displayName: "Zoë" },
        attendees: [
          { email: "a@example.com", responseStatus: "accepted" },
          { email: "b@example.com", displayName: "B", responseStatus: "declined" },
          { email: "c@example.com", responseStatus: "tentative" },
          { email: "d@example.com", responseStatus: "needsAction" },
        ],
        recurringEventId: "series",
        created: "2026-01-01T00:00:00.000Z",
        updated: "2026-01-02T00:00:00.000Z",
      }),
    ).toEqual({
      id: "a",
      title: "Grüße",
      description: "Plain",
      start_date: "2026-03-29T00:30:00.000Z",
      end_date: "2026-03-29T01:30:00.000Z",
      status: "tentative",
      url: "https://www.google.com/calendar/event?eid=x",
      location: "Köln",
      is_all_day: false,
      time_zone: "Europe/Paris",
      organizer: { name: "Zoë", email: "zoe@example.com" },
      attendees: [
        { name: null, email: "a@example.com", response: "accepted" },
        { name: "B", email: "b@example.com", response: "declined" },
        { name: null, email: "c@example.com", response: "tentative" },
        { name: null, email: "d@example.com", response: "none" },
      ],
      recurring_event_id: "series",
      calendar_id: "ada@example.com",
      created_at: "2026-01-01T00:00:00.000Z",
      updated_at: "2026-01-02T00:00:00.000Z",
    });
  });

  test("an event that lasts all day has days, whatever the time zone", () => {
    expect(record({ start: { date: "2026-03-29" }, end: { date: "2026-03-31" } })).toMatchObject({
      is_all_day: true,
      start_date: "2026-03-29",
      end_date: "2026-03-31",
      time_zone: null,
    });
  });

  test("an event without a time zone has that of its calendar", () => {
    expect(record({}).time_zone).toBe("Europe/Berlin");
  });

  test("an event whose title is missing or blank has none", () => {
    expect([record({}).title, record({ summary: "  " }).title]).toEqual([null, null]);
  });

  test("an event that was imported in the year 0 has no time of creation", () => {
    expect(record({ created: "0000-12-29T00:00:00.000Z" }).created_at).toBeNull();
  });
});

describe("a cancelled instance of which only the original start is known", () => {
  const cancelled = { start: undefined, status: "cancelled", recurringEventId: "s" } as Partial<GoogleEvent>;

  test("a canceled instance starts and ends at its original time", () => {
    const originalStartTime = { dateTime: "2026-03-29T09:30:00+02:00", timeZone: "Europe/Berlin" };
    expect(record({ ...cancelled, originalStartTime })).toMatchObject({
      status: "cancelled",
      start_date: "2026-03-29T07:30:00.000Z",
      end_date: "2026-03-29T07:30:00.000Z",
    });
  });

  test("a canceled instance of a series that lasts all day lasts its original day", () => {
    expect(record({ ...cancelled, originalStartTime: { date: "2026-12-31" } })).toMatchObject({
      is_all_day: true,
      start_date: "2026-12-31",
      end_date: "2027-01-01",
    });
  });

  test("a canceled instance of which nothing is known has no start", () => {
    expect(startTime({ id: "a", status: "cancelled" })).toBeNaN();
  });
});

describe("a description", () => {
  const description = (text: string) => record({ description: text }).description;

  test("a description of plain text keeps its lines and what looks like a tag", () => {
    expect(description("Agenda:\r\n*Plans* from <ada@example.com>, if a < b & c")).toBe(
      "Agenda:  \n\\*Plans\\* from \\<ada@example.com>, if a < b & c",
    );
  });

  test("a description of HTML becomes Markdown", () => {
    expect(description("<p>Bring <b>notes</b></p><ul><li>One &amp; two</li></ul>")).toBe(
      "Bring **notes**\n\n- One & two",
    );
    expect(description('First<br>second, a <a href="https://example.com/?a=1&amp;b=2">link</a>\nthird')).toMatch(
      /^First {2}\nsecond, a \[link\]\(https:\/\/example\.com\/\?a=1&b=2\) {2}\nthird$/,
    );
  });

  test("an empty description is null", () => {
    expect([description(""), description("<br>"), description(" \r\n")]).toEqual([null, null, null]);
  });
});
