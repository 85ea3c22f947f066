import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [{ file: "google-calendar.discovery.json", format: "discovery" }],
} satisfies Evidence;
