import { describe, expect, it } from "vitest";
import { textOn, theme } from "./brand.ts";

/** https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio, written again to check the other. */
function contrast(one: string, other: string): number {
  const light = (color: string) => {
    const value = Number.parseInt(color, 16);
    const linear = (part: number) =>
      part / 255 <= 0.04045 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
    return 0.2126 * linear(value >> 16) + 0.7152 * linear((value >> 8) & 255) + 0.0722 * linear(value & 255);
  };
  const [low, high] = [light(one), light(other)].sort((a, b) => a - b) as [number, number];
  return (high + 0.05) / (low + 0.05);
}

describe("the color of an application", () => {
  it("the color of an application gets a text color with a contrast of at least 4.5 : 1, whatever it is", () => {
    let least = 21;
    for (let red = 0; red < 256; red += 3)
      for (let green = 0; green < 256; green += 3)
        for (let blue = 0; blue < 256; blue += 5) {
          const color = ((red << 16) | (green << 8) | blue).toString(16).padStart(6, "0");
          least = Math.min(least, contrast(color, textOn(color).slice(1)));
        }
    expect(least).toBeGreaterThanOrEqual(4.5);
    expect([textOn("ffffff"), textOn("000000"), textOn("ffcc00"), textOn("1f5fbf")]).toEqual([
      "#000000",
      "#ffffff",
      "#000000",
      "#ffffff",
    ]);
  });

  it("the color of an application is part of the style sheet only as the color of the main button", () => {
    expect(theme("1F5FBF")).toBe(
      ":root { --button: #1F5FBF; --button-strong: #1F5FBF; --on-button: #ffffff; --button-line: var(--field); }\n",
    );
  });
});
