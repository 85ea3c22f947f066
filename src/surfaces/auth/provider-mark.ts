import { type Html, html } from "../../runtime/html.ts";

/** White text is readable on each of them. */
const COLORS = ["#1d4ed8", "#6d28d9", "#be185d", "#b91c1c", "#9a3412", "#15803d", "#0f766e", "#334155"];

/** The first letters of words, and capitals inside of them: GH of GitHub, GD of Google Drive. */
export const initialsOf = (name: string): string =>
  (name.match(/\p{Lu}|(?<![\p{L}\p{N}])[\p{L}\p{N}]/gu) ?? []).slice(0, 2).join("").toUpperCase();

const colorOf = (name: string): string =>
  COLORS[[...name].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)!) % 9973, 0) % COLORS.length]!;

/** A tile by which a provider is found again in a list. Logos belong to their owners. */
export const providerMark = (name: string): Html =>
  html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true"><rect width="32" height="32" rx="8" fill="${colorOf(name)}"/><text x="16" y="21" text-anchor="middle" font-size="14" font-weight="600" fill="#ffffff">${initialsOf(name)}</text></svg>`;
