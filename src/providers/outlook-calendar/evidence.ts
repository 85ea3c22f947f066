import type { Evidence } from "../../contracts/evidence.ts";
import { graphDescription } from "../../emulator-kit/microsoft-graph-evidence.ts";

export default {
  descriptions: [graphDescription([])],
  others: [
    {
      source: "@microsoft/microsoft-graph-types",
      what: "types of the answers read and of the emulator's data",
    },
    { source: "answers of /me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
