import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [],
  others: [
    {
      source: "@microsoft/microsoft-graph-types",
      what: "types of the answers read, of the bodies sent and of the emulator's data",
    },
  ],
} satisfies Evidence;
