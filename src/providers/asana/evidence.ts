import type { Evidence } from "../../contracts/description.ts";

export default {
  descriptions: [{ file: "asana.openapi3.yaml", format: "openapi", deviations: [] }],
} satisfies Evidence;
