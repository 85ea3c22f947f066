import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [{ file: "monday.graphql", format: "graphql" }],
} satisfies Evidence;
