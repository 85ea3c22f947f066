/**
 * Calls `next` with a value: at once if it is here, later if it is a promise. What hardly ever has to wait is written with
 * this instead of `async`: each function that is costs every call about a thousand instructions.
 */
export function whenHere<Value, Result>(
  value: Value | Promise<Value>,
  next: (value: Value) => Result | Promise<Result>,
): Result | Promise<Result> {
  return value instanceof Promise ? value.then(next) : next(value);
}
