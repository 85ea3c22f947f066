import type { Evidence } from "../../contracts/evidence.ts";

export default { descriptions: [] } satisfies Evidence;
