import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [],
  others: [
    {
      source: "@jsforce/jsforce-node",
      what: "answer types; Salesforce's own client also runs against the emulator",
    },
  ],
} satisfies Evidence;
