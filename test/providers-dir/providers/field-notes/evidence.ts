import type { Evidence } from "plugboard/provider-kit";

export default { descriptions: [], others: [{ source: "the reference", what: "by hand" }] } satisfies Evidence;
