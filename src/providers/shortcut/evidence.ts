import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [{ file: "shortcut.swagger2.json", format: "openapi", prefix: { described: "/api/v3" } }],
  others: [
    { source: "stories with comments in public repositories", what: "recorded answers, read by hand: mentions" },
  ],
} satisfies Evidence;
