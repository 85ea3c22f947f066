import type { Description, Deviation } from "../contracts/evidence.ts";

/** Microsoft's description of Graph, with the deviations of every provider on it and those of one. */
export const graphDescription = (deviations: Deviation[]): Description => ({
  file: "microsoft-graph.openapi3.json",
  format: "openapi",
  deviations: [
    {
      violation: "/error/innerError/",
      reason:
        "the description has no details of it: https://learn.microsoft.com/en-us/graph/errors#error-resource-type",
    },
    {
      violation: "@odata.context is not described",
      reason: "every response has it: https://learn.microsoft.com/en-us/graph/query-parameters",
    },
    ...deviations,
  ],
});
