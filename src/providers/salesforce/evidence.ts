import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [],
  others: [
    {
      source: "@jsforce/jsforce-node",
      what: "answer types and fields of contacts, accounts and opportunities, and of the description of an object's own fields; Salesforce's own client also runs against the emulator",
    },
    {
      source: "answers of /services/oauth2/userinfo in public repositories",
      what: "recorded answers, read by hand: the account",
    },
  ],
} satisfies Evidence;
