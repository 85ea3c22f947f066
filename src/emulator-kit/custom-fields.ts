import { hour, toDay } from "./data.ts";

/** The fields that the people of every emulated account have added to its records: one of each type. */
export const customFields = {
  tier: { label: "Tier", choices: ["Gold", "Silver", "Bronze"] },
  note: { label: "Account note" },
  score: { label: "Score" },
  is_vip: { label: "VIP" },
  renews_on: { label: "Renews on" },
  interests: { label: "Interests", choices: ["Chess", "Sailing", "日本語"] },
} as const;

export interface CustomSample {
  tier: string | null;
  note: string | null;
  score: number | null;
  is_vip: boolean | null;
  /** A day. */
  renews_on: string | null;
  interests: string[];
}

/** The values of a record, the same for each index: some are missing. Changes write their title into the note. */
export function customSample(index: number): CustomSample {
  const { tier, interests } = customFields;
  return {
    tier: index % 4 === 3 ? null : tier.choices[index % 4]!,
    note: index % 3 === 0 ? null : `Note ${index}: "<b>" & …`,
    score: index % 5 === 0 ? null : index % 5 === 1 ? 0 : index + 0.5,
    is_vip: index % 7 === 0 ? null : index % 2 === 0,
    renews_on: index % 6 === 0 ? null : toDay(hour(24 * index)),
    interests: index % 4 === 0 ? [] : interests.choices.slice(0, 1 + (index % interests.choices.length)),
  };
}
