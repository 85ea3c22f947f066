import type { Evidence } from "../../contracts/evidence.ts";

export default {
  descriptions: [{ file: "attio.openapi3.json", format: "openapi", prefix: { described: "/v2" } }],
} satisfies Evidence;
