const PING_TIMEOUT_MS = 2_000;

/** Whether a dependency answers a ping within two seconds. */
export async function respondsToPing(dependency: { ping(): Promise<void> }): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, PING_TIMEOUT_MS, false);
  dependency.ping().then(
    () => resolve(true),
    () => resolve(false),
  );
  return promise.finally(() => clearTimeout(timer));
}
