import Type from "typebox";
import { Nullable } from "../../../categories/schema.ts";

/** An object whose keys the client chooses. */
export const MapOf = <Value>(
  values: object,
  description: string,
  limits: { minProperties?: number; maxProperties?: number } = {},
) => Type.Unsafe<Record<string, Value>>({ type: "object", additionalProperties: values, description, ...limits });

export const NullableInteger = (description: string) => Nullable(Type.Integer({ description }));

/** No fields but those that are named. */
export const closed = { additionalProperties: false };
