import type { Evidence } from "../../contracts/description.ts";

export default {
  descriptions: [{ file: "linear.graphql", format: "graphql" }],
} satisfies Evidence;
