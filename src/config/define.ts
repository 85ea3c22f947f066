/** One environment variable: the expected value, the default, and how its text is parsed. */
export interface Variable<Value> {
  /** Completes "PORT must be …". */
  expected: string;
  fallback: string;
  /** Returns undefined if the text is invalid. */
  read(text: string): Value | undefined;
  /** Whether its value must not be shown in errors. */
  secret?: boolean;
  /** Whether the default is made from other variables. `fallback` then only describes it. */
  derived?: boolean;
}

export const variable = <Value>(
  fallback: string,
  expected: string,
  read: (text: string) => Value | undefined,
  options: { secret?: boolean; derived?: boolean } = {},
): Variable<Value> => ({ expected, fallback, read, ...options });

export const wholeNumber = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  return /^\d+$/.test(text) && value >= min && value <= max ? value : undefined;
};

export const oneOf =
  <Word extends string>(...words: Word[]) =>
  (text: string) =>
    words.find((word) => word === text);

export const matching = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined);

/** An address of IPv6 is in brackets there. */
export const hostInUrl = (host: string): string => (host.includes(":") ? `[${host}]` : host);

export function address(...schemes: string[]) {
  return (text: string): string | undefined => {
    const url = URL.canParse(text) ? new URL(text) : undefined;
    return url?.hostname && schemes.includes(url.protocol) ? text : undefined;
  };
}
