// Properties that are no field of a task.
import { customFields, customSample } from "../../../emulator-kit/index.ts";
import { options, property } from "./property.ts";
import { text } from "./text.ts";

const { tier, note, score, is_vip, renews_on, interests } = customFields;
const TIERS = options(80, ...tier.choices);
const INTERESTS = options(90, ...interests.choices);

export const ownProperties = {
  ...property("tier", tier.label, "select", { options: TIERS }),
  ...property("note", note.label, "rich_text"),
  ...property("scor", score.label, "number", { format: "number" }),
  ...property("rene", renews_on.label, "date"),
  ...property("isvi", is_vip.label, "checkbox"),
  ...property("inte", interests.label, "multi_select", { options: INTERESTS }),
};

/** The content of a rich text property. */
export const noteContent = (content: string) => ({
  [note.label]: { id: "note", type: "rich_text", rich_text: [text(content)] },
});

export function ownContent(index: number): Record<string, unknown> {
  const sample = customSample(index);
  return {
    [tier.label]: TIERS.find(({ name }) => name === sample.tier) ?? null,
    [note.label]: sample.note === null ? [] : [text(sample.note)],
    [score.label]: sample.score,
    // It always has a value.
    [is_vip.label]: sample.is_vip ?? false,
    [renews_on.label]: sample.renews_on && { start: sample.renews_on, end: null, time_zone: null },
    [interests.label]: INTERESTS.filter(({ name }) => sample.interests.includes(name)),
  };
}
