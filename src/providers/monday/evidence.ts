import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [{ file: "monday.graphql", format: "graphql" }],
} satisfies Evidence;
