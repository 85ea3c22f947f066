type Part = string | null | undefined;

/** The first text that is not blank, without surrounding space; null if there is none. */
export function orNull(...texts: Part[]): string | null {
  for (const text of texts) {
    const trimmed = text?.trim();
    if (trimmed) return trimmed;
  }
  return null;
}

type Defined<Fields> = {
  [name in keyof Fields as undefined extends Fields[name] ? never : name]: Fields[name];
} & { [name in keyof Fields as undefined extends Fields[name] ? name : never]?: Exclude<Fields[name], undefined> };

/**
 * The fields without those that are undefined, for places where a field that is missing means something else than one
 * without a value. A body does not need it: undefined is not sent.
 */
export const defined = <Fields extends object>(fields: Fields): Defined<Fields> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>;
