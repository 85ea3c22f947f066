import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [],
  others: [
    {
      source: "@microsoft/microsoft-graph-types",
      what: "types of the answers that we read, of the bodies that we send and of the emulator's data",
    },
  ],
} satisfies Evidence;
