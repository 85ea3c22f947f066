import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [],
  others: [{ source: "@gitbeaker/rest", what: "response types; its client also runs against the emulator" }],
} satisfies Evidence;
