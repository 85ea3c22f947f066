import { describe, expect, test } from "vitest";
import { eventTimes, isRepeatedHour, localTime } from "./event-time.ts";

describe("the times of a new event", () => {
  test("times with any offset are converted to UTC", () => {
    expect(eventTimes({ start_date: "2026-03-29T09:00:00+02:00", end_date: "2026-03-29T08:30Z" })).toEqual({
      isAllDay: false,
      start: "2026-03-29T07:00:00.000Z",
      end: "2026-03-29T08:30:00.000Z",
    });
  });

  test.each([true, undefined])("two days last all day if is_all_day is %j", (is_all_day) => {
    const given = { start_date: "2026-03-29", end_date: "2026-03-30", ...(is_all_day && { is_all_day }) };
    expect(eventTimes(given)).toEqual({ isAllDay: true, start: "2026-03-29", end: "2026-03-30" });
  });

  test.each([
    ["start_date", { start_date: "2026-03-29T09:00:00Z", end_date: "2026-03-30", is_all_day: true }],
    ["start_date", { start_date: "2026-02-30", end_date: "2026-03-30" }],
    ["start_date", { start_date: "2026-02-30T09:00:00Z", end_date: "2026-03-30T09:00:00Z" }],
    ["end_date", { start_date: "2026-02-28T09:00:00Z", end_date: "2026-02-29T09:00:00+02:00" }],
    ["start_date", { start_date: "2026-13-01", end_date: "2026-13-02" }],
    ["start_date", { start_date: "2026-03-29", end_date: "2026-03-30", is_all_day: false }],
    ["start_date", { start_date: "2026-03-29", end_date: "2026-03-30T09:00:00Z" }],
    ["start_date", { start_date: "2026-03-29T09:00:00", end_date: "2026-03-29T10:00:00Z" }],
    ["start_date", { start_date: "2026-03-29Tnoon Z", end_date: "2026-03-29T10:00:00Z" }],
    ["end_date", { start_date: "2026-03-29T09:00:00Z", end_date: "2026-03-30" }],
    ["end_date", { start_date: "2026-03-29", end_date: "2026-03-29" }],
    ["end_date", { start_date: "2026-03-29T09:00:00Z", end_date: "2026-03-29T08:59:59Z" }],
    ["time_zone", { start_date: "2026-03-29", end_date: "2026-03-30", time_zone: "Europe/Atlantis" }],
  ])("a %s that does not fit is refused: %j", (field, given) => {
    expect(() => eventTimes(given)).toThrow(
      expect.objectContaining({ problems: [expect.objectContaining({ path: ["body", field] })] }),
    );
  });
});

test("the local time follows the clock changes of the zone", () => {
  expect(localTime("2026-03-29T00:30:00Z", "Europe/Berlin")).toBe("2026-03-29T01:30:00");
  expect(localTime("2026-03-29T01:30:00Z", "Europe/Berlin")).toBe("2026-03-29T03:30:00");
  expect(localTime("2026-01-01T00:00:00Z", "UTC")).toBe("2026-01-01T00:00:00");
});

test.each([
  ["2026-10-25T00:30:00Z", "Europe/Berlin", true],
  ["2026-10-25T01:30:00.500Z", "Europe/Berlin", true],
  ["2026-10-24T23:59:59Z", "Europe/Berlin", false],
  ["2026-10-25T02:00:00Z", "Europe/Berlin", false],
  ["2026-03-29T01:30:00Z", "Europe/Berlin", false],
  // Clocks are put back by 30 minutes at 15:00 UTC.
  ["2026-04-04T14:29:00Z", "Australia/Lord_Howe", false],
  ["2026-04-04T14:45:00Z", "Australia/Lord_Howe", true],
  ["2026-04-04T15:15:00Z", "Australia/Lord_Howe", true],
  ["2026-04-04T15:30:00Z", "Australia/Lord_Howe", false],
  ["2026-10-25T00:30:00Z", "UTC", false],
])("clocks show %s in %s twice: %s", (time, zone, isRepeated) => {
  expect(isRepeatedHour(time, zone)).toBe(isRepeated);
});
