import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type Converter, converters, type Input } from "../support/hostile-texts.ts";

const LENGTH = 8_000;
/** Four times as much is nearly the longest text that is parsed as Markdown. */
const LONG = 45_000;

/** Less is noise. */
const NOISE_MS = 3;

/** In milliseconds of the processor, which other processes hardly change. */
function timeOf(run: () => void): number {
  const start = process.threadCpuUsage();
  run();
  const { user, system } = process.threadCpuUsage(start);
  return (user + system) / 1000;
}

const sizeOf = (value: unknown) =>
  typeof value === "string" ? value.length : value === null ? 0 : JSON.stringify(value).length;
/** Formats that consist of objects take more characters for each part of a text. */
const maxGrowth = (output: unknown) => (typeof output === "string" || output === null ? 12 : 80);

/** How long an ordinary text takes. */
function typicalTime({ convert, ordinary }: Converter, length = LENGTH): number {
  const source = ordinary(length);
  return Math.max(NOISE_MS, Math.min(...[1, 2, 3].map(() => timeOf(() => convert(source)))));
}

/**
 * The result must not be much longer than the text. Nothing may take much longer than an ordinary text, and what takes
 * somewhat longer has to grow with its length: four times the input then takes about four times as long, and sixteen
 * times if the time grows with the square. Collected memory and late compilation can double a measurement, so it is made
 * again before it counts.
 */
function expectModest(convert: Converter["convert"], input: Input<unknown>, typical: number, length = LENGTH): void {
  const source = input(length);
  for (let attempt = 1; ; attempt++) {
    let output: unknown;
    const time = timeOf(() => {
      output = convert(source);
    });
    expect(sizeOf(output)).toBeLessThan(maxGrowth(output) * sizeOf(source) + 20_000);
    if (time < 5 * typical) return;
    const longer = input(4 * length);
    const growth = timeOf(() => convert(longer)) / time;
    if (time < 30 * typical && growth < 9) return;
    if (attempt === 4) expect({ timesTypical: time / typical, growth }).toBe("modest");
  }
}

describe.each(Object.entries(converters))("%s of hostile text", (name, converter) => {
  const { convert, known, generated } = converter;
  const typical = typicalTime(converter);

  test.each(Object.entries(known))(`${name} takes modest time and space for %s`, (_, input) =>
    expectModest(convert, input, typical),
  );

  test(`${name} takes modest time and space for anything made of the parts of its format`, () =>
    fc.assert(
      fc.property(generated, (input) => expectModest(convert, input, typical)),
      { numRuns: 30, seed: 20, endOnFailure: true },
    ));
});

describe("text that is nearly too long to be parsed as Markdown", () => {
  const { convert, known } = converters.markdownToHtml!;
  const typical = typicalTime(converters.markdownToHtml!, LONG);

  test.each(Object.entries(known))("long Markdown takes modest time and space for %s", (_, input) =>
    expectModest(convert, input, typical, LONG),
  );
});
