import { invalidInput, type Problem } from "../../contracts/fault.ts";
import { parseTime } from "../../contracts/time.ts";

const notATime = (name: string): Problem => ({
  path: [name],
  message: "Must be a date and time that exists, by ISO 8601, such as 2030-01-31T12:00:00Z",
});

export function readTime(text: string, name: string): string {
  const time = parseTime(text);
  if (time === undefined) throw invalidInput(notATime(name));
  return time;
}

/** The times that were given, such as the start and the end of a period. */
export function readTimes<Name extends string>(
  given: { [name in Name]?: string | undefined },
): {
  [name in Name]?: string;
} {
  const named = Object.entries(given).filter((one): one is [Name, string] => one[1] !== undefined);
  const problems = named.flatMap(([name, text]) => (parseTime(text) === undefined ? [notATime(name)] : []));
  if (problems.length > 0) throw invalidInput(...problems);
  return Object.fromEntries(named.map(([name, text]) => [name, parseTime(text)])) as { [name in Name]?: string };
}
