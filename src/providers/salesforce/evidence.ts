import type { Evidence } from "../../contracts/description.ts";

export default {
  descriptions: [],
  others: [
    {
      source: "@jsforce/jsforce-node",
      what: "answer types; Salesforce's own client also runs against the emulator",
    },
  ],
} satisfies Evidence;
