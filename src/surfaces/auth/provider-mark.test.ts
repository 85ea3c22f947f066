import { expect, it } from "vitest";
import { toText } from "../../runtime/html.ts";
import { textOn } from "./brand.ts";
import { initialsOf, providerMark } from "./provider-mark.ts";

it.each([
  ["GitHub", "GH"],
  ["Google Drive", "GD"],
  ["monday.com", "MC"],
  ["Zoho CRM", "ZC"],
  ["Slack", "S"],
  ["7shifts", "7"],
  ["日本語", "日"],
  ["…", ""],
])("the initials of %s are %s", (name, initials) => {
  expect(initialsOf(name)).toBe(initials);
});

it("a mark is always the same for a provider, with a color that white text is readable on", () => {
  const colors = new Set<string>();
  for (let number = 0; number < 200; number++) {
    const mark = toText(providerMark(`Provider ${number}`));
    expect(toText(providerMark(`Provider ${number}`))).toBe(mark);
    colors.add(/ fill="#([0-9a-f]{6})"\/>/.exec(mark)![1]!);
  }
  expect(colors.size).toBe(8);
  for (const color of colors) expect([color, textOn(color)]).toEqual([color, "#ffffff"]);
});

it("a mark is hidden from screen readers, and a name cannot leave it", () => {
  expect(toText(providerMark("<b"))).toContain('aria-hidden="true"');
  expect(toText(providerMark("<b> & c"))).not.toContain("<b");
});
