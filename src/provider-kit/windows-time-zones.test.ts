import { expect, test } from "vitest";
import { ianaTimeZone } from "./windows-time-zones.ts";

test.each([
  ["W. Europe Standard Time", "Europe/Berlin"],
  ["Pacific Standard Time (Mexico)", "America/Tijuana"],
  ["India Standard Time", "Asia/Kolkata"],
  ["Russia Time Zone 10", "Asia/Srednekolymsk"],
  ["UTC-02", "Etc/GMT+2"],
  ["UTC", "UTC"],
  ["tzone://Microsoft/Utc", "UTC"],
  ["Europe/Berlin", "Europe/Berlin"],
  ["America/Argentina/Buenos_Aires", "America/Argentina/Buenos_Aires"],
  ["tzone://Microsoft/Custom", null],
  ["Customized Time Zone", null],
  ["constructor", null],
  ["", null],
  [null, null],
])("the time zone %j is %j", (name, iana) => {
  expect(ianaTimeZone(name)).toBe(iana);
});

test.each([
  ["Nepal Standard Time", "+05:45"],
  ["Newfoundland Standard Time", "-03:30"],
  ["Line Islands Standard Time", "+14:00"],
  ["Dateline Standard Time", "-12:00"],
  ["FLE Standard Time", "+02:00"],
])("%s has the offset %s in winter", (name, offset) => {
  const format = new Intl.DateTimeFormat("en", { timeZone: ianaTimeZone(name)!, timeZoneName: "longOffset" });
  const parts = format.formatToParts(new Date("2026-01-15"));
  expect(parts.find(({ type }) => type === "timeZoneName")!.value).toBe(`GMT${offset}`);
});
