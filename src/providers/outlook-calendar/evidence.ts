import { graphDescription } from "../../emulator-kit/index.ts";
import type { Evidence } from "../../provider-kit/index.ts";

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
