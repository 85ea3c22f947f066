import type { Category, Operation } from "../contracts/operation.ts";
import type { CategoryImplementation, Implemented } from "../contracts/provider.ts";

export function implement<Operations extends Record<string, Operation>>(
  category: Category<Operations>,
  operations: CategoryImplementation<Operations>,
): Implemented {
  return { category: category.id, operations: operations as Implemented["operations"] };
}
