import { graphDescription } from "../../emulator-kit/index.ts";
import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [
    graphDescription([
      {
        violation: "query token is not described",
        reason: "the parameter of the function delta: https://learn.microsoft.com/en-us/graph/api/driveitem-delta",
      },
      {
        violation: "PUT /me/drive/items/root:/",
        reason:
          "the description has no paths with names: https://learn.microsoft.com/en-us/graph/api/driveitem-put-content",
      },
    ]),
  ],
  others: [
    {
      source: "@microsoft/microsoft-graph-types",
      what: "types of the answers read and of the emulator's data",
    },
    { source: "answers of /me in public repositories", what: "recorded answers, read by hand: the account" },
  ],
} satisfies Evidence;
