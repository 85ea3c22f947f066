import type { Evidence } from "../../contracts/evidence.ts";
import { graphDescription } from "../../emulator-kit/microsoft-graph-evidence.ts";

export default {
  descriptions: [graphDescription([])],
  others: [
    {
      source: "@microsoft/microsoft-graph-types",
      what: "types of the answers read and of the emulator's data",
    },
  ],
} satisfies Evidence;
