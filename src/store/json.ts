/** Null and undefined stay what they are: "none", and "leave as it is". */
export const toJson = <Value extends object | null | undefined>(value: Value) =>
  (value ? JSON.stringify(value) : value) as string | Extract<Value, null | undefined>;
