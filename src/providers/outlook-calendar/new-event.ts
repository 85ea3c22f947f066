import type { calendar } from "../../categories/calendar.ts";
import type { InputOf } from "../../contracts/operation.ts";
import { eventTimes, isRepeatedHour, localTime } from "../../provider-kit/event-time.ts";
import { markdownToHtml } from "../../provider-kit/text/to-html.ts";

type Input = InputOf<(typeof calendar.operations)["createEvent"]>;

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
  return {
    subject: input.title,
    start: moment(start, zone, isAllDay),
    end: moment(end, zone, isAllDay),
    isAllDay,
    ...(input.description !== undefined && {
      body: { contentType: "html", content: markdownToHtml(input.description) ?? "" },
    }),
    ...(input.location !== undefined && { location: { displayName: input.location } }),
    ...(input.attendees && {
      attendees: input.attendees.map(({ email, name }) => ({
        emailAddress: { address: email, ...(name !== undefined && { name }) },
        type: "required",
      })),
    }),
    transactionId: transactionId(writeKey),
  };
}
