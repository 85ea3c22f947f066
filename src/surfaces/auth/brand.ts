import type { Workspace } from "../../contracts/entities.ts";
import type { Assets } from "./assets.ts";

/** How a page shows which application it belongs to. */
export interface Brand {
  /** Loaded by the browser, never by the service. */
  logoUrl: string | null;
  themeUrl: string | null;
}

export const brandOf = ({ logo_url, accent_color }: Workspace, assets: Assets): Brand => ({
  logoUrl: logo_url,
  themeUrl: accent_color === null ? null : `${assets.theme}?accent=${accent_color.slice(1)}`,
});

/** A page's policy, which also allows the logo. */
export const withLogo = (policy: string, { logoUrl }: Brand): string =>
  logoUrl === null ? policy : `${policy}; img-src ${new URL(logoUrl).origin}`;

/**
 * The variables of style.css that show the color. Only the main button has it, with a border of its own: text and focus
 * keep the colors that are readable on every page, in light and in dark.
 */
export const theme = (accent: string): string =>
  `:root { --button: #${accent}; --button-strong: #${accent}; --on-button: ${textOn(accent)}; --button-line: var(--field); }\n`;

/** Black or white, whichever is easier to read. One of them always has a contrast of more than 4.5 : 1. */
export function textOn(color: string): "#000000" | "#ffffff" {
  const light = luminance(color);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? "#000000" : "#ffffff";
}

/** https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const [red, green, blue] = [0, 2, 4]
    .map((start) => Number.parseInt(color.slice(start, start + 2), 16) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4)) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
