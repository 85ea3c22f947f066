/** Null ("none") and undefined ("leave unchanged") are kept. */
export const toJson = <Value extends object | null | undefined>(value: Value) =>
  (value ? JSON.stringify(value) : value) as string | Extract<Value, null | undefined>;
