/** A value that is there at once where it can be: a warm call waits for nothing, not even for the next turn. */
export type Maybe<Value> = Value | Promise<Value>;

/** Goes on with a value, at once where it is there. */
export const after = <Value, Result>(value: Maybe<Value>, next: (value: Value) => Maybe<Result>): Maybe<Result> =>
  value instanceof Promise ? value.then(next) : next(value);
