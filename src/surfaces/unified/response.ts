import Type, { type TProperties, type TSchema } from "typebox";
import { Nullable } from "../../categories/schema.ts";
import type { BoundOperation } from "../../contracts/operation.ts";
import type { OperationResult } from "../../engine/index.ts";

const Raw = Type.Unknown({ description: "The provider's own response, if it was asked for" });

/** The success body of an operation: what it is serialised by, and what the documents show. */
export function responseBody(operation: BoundOperation): TSchema {
  const list = operation.kind === "list";
  const properties: TProperties = { data: list ? Type.Array(operation.record) : operation.record };
  if (list)
    properties.metadata = Type.Object({
      next: Nullable(Type.String({ description: "Cursor of the next page; null at the end" })),
    });
  return Type.Object({ response: Type.Object({ ...properties, _raw: Type.Optional(Raw) }) });
}

/** The same of a result. */
export const responseOf = (operation: BoundOperation, result: OperationResult, includeRaw: boolean) => ({
  response: {
    data: result.data,
    ...(operation.kind === "list" ? { metadata: { next: result.next } } : {}),
    ...(includeRaw ? { _raw: result.raw } : {}),
  },
});
