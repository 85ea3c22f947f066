import type { Evidence } from "../../contracts/description.ts";

export default { descriptions: [] } satisfies Evidence;
