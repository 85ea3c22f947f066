import type { EmulatedReply, Emulator } from "../contracts/emulator.ts";

export const reply = (status: number, body?: unknown, headers: Record<string, string> = {}): EmulatedReply => ({
  status,
  body,
  headers,
});

/** Whether an intermediate result is already the reply, such as a refusal. Records may have a status of their own. */
export const isReply = (result: object): result is EmulatedReply => "status" in result && "headers" in result;

export const emulate = <State>(emulator: Emulator<State>): Emulator<State> => emulator;

const written = new WeakMap<object, number>();

/** Counts what clients have written to an emulator. Unlike the length of a list, it gives each new record its own id. */
export function countWritten(state: object): number {
  const count = (written.get(state) ?? 0) + 1;
  written.set(state, count);
  return count;
}
