import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [{ file: "google-calendar.discovery.json", format: "discovery" }],
} satisfies Evidence;
