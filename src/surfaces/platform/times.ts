import { invalidInput, type Problem } from "../../contracts/fault.ts";

/** The start and the end of a period, as ISO 8601 in UTC. A time without an offset counts as UTC. */
export function readTimes({ since, until }: { since?: string | undefined; until?: string | undefined }) {
  const problems: Problem[] = [];

  function parse(name: string, text: string | undefined): string | undefined {
    if (text === undefined) return undefined;
    const [, date, time, offset = "Z"] = PATTERN.exec(text) ?? [];
    const read = new Date(`${date}T${time ?? "00:00:00"}${offset}`);
    if (!Number.isNaN(read.getTime())) return read.toISOString();
    problems.push({ path: [name], message: "Must be a date and time by ISO 8601, such as 2030-01-31T12:00:00Z" });
    return undefined;
  }

  const times = { since: parse("since", since), until: parse("until", until) };
  if (problems.length > 0) throw invalidInput(...problems);
  return {
    ...(times.since === undefined ? {} : { since: times.since }),
    ...(times.until === undefined ? {} : { until: times.until }),
  };
}

const PATTERN = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?)([Zz]|[+-]\d\d:\d\d)?)?$/;
