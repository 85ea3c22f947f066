const PATIENCE_MS = 2_000;

/** Whether a part of the service answers, found out in bounded time. */
export async function answers(part: { ping(): Promise<void> }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, PATIENCE_MS, false);
  part.ping().then(
    () => resolve(true),
    () => resolve(false),
  );
  return promise.finally(() => clearTimeout(timer));
}
