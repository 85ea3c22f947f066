import type { Evidence } from "../../provider-kit/index.ts";

export default {
  descriptions: [{ file: "linear.graphql", format: "graphql" }],
} satisfies Evidence;
