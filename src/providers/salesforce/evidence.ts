import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [],
  others: [
    {
      source: "@jsforce/jsforce-node",
      what: "answer types and fields of contacts, accounts and opportunities; Salesforce's own client also runs against the emulator",
    },
  ],
} satisfies Evidence;
