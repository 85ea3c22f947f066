import { Fault } from "../../../contracts/fault.ts";
import { type Cancellation, CancelledError, type Forwarded } from "../../../engine/index.ts";

/** In characters: more than this does not help a model. */
const MAX_TEXT = 40_000;
/** How long a response may take after its headers: some are streams that never end. */
const MAX_READ_MS = 30_000;

/** The response as text, up to the length that a model can use. */
export function readText(response: Pick<Forwarded, "pipeTo">, client: Cancellation): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const decoder = new TextDecoder();
  let text = "";
  const keep = (chunk: Buffer): boolean => {
    text += decoder.decode(chunk, { stream: true });
    return text.length <= MAX_TEXT;
  };
  const finish = () =>
    resolve(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}… (the rest was left out)` : text + decoder.decode());
  const flow = response.pipeTo({
    write(chunk) {
      if (keep(chunk)) return true;
      finish();
      queueMicrotask(() => flow.cancel());
      return false;
    },
    end(last) {
      if (last) keep(last);
      finish();
    },
    fail: () => reject(new Fault("upstream_malformed", "the provider broke off its response")),
  });
  const stop = (error: Error) => {
    reject(error);
    flow.cancel();
  };
  const timeout = new Fault("upstream_timeout", `the provider did not end its response within ${MAX_READ_MS / 1000} s`);
  const timer = setTimeout(() => stop(timeout), MAX_READ_MS);
  const disconnect = { cancel: () => stop(new CancelledError()) };
  client.onCancel(disconnect);
  return promise.finally(() => {
    clearTimeout(timer);
    client.off(disconnect);
  });
}
