import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [{ file: "linear.graphql", format: "graphql" }],
} satisfies Evidence;
