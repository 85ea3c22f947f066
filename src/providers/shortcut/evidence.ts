import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [{ file: "shortcut.swagger2.json", format: "openapi", prefix: { described: "/api/v3" } }],
} satisfies Evidence;
