import { readFileSync } from "node:fs";

/** The icon that browsers show for our pages. */
export const ICON = {
  type: "image/svg+xml",
  content: readFileSync(new URL("./icon.svg", import.meta.url)),
};
