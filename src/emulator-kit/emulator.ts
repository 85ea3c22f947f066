import type { EmulatedReply, EmulatedRequest, Emulator } from "../contracts/emulator.ts";
import { hour } from "./data.ts";

export const reply = (status: number, body?: unknown, headers: Record<string, string> = {}): EmulatedReply => ({
  status,
  body,
  headers,
});

/** Thrown by a route: the reply to a request that the provider does not accept. */
export class Refused extends Error {
  readonly reply: EmulatedReply;
  constructor(reply: EmulatedReply) {
    super(`refused with ${reply.status}`);
    this.reply = reply;
  }
}

export function refuse(reply: EmulatedReply): never {
  throw new Refused(reply);
}

export const emulate = <State>(emulator: Emulator<State>): Emulator<State> => emulator;

const written = new WeakMap<object, number>();

/** Counts what clients have written to an emulator. Unlike the length of a list, it gives each new record its own id. */
export function countWritten(state: object): number {
  const count = (written.get(state) ?? 0) + 1;
  written.set(state, count);
  return count;
}

/** A client's next write: its number, and its time, which is later than all made-up data. */
export function nextWrite(state: object): { nth: number; at: Date } {
  const nth = countWritten(state);
  return { nth, at: new Date(hour(1000).getTime() + nth * 60_000) };
}

/** The token that a request is sent with. */
export const bearerToken = ({ headers }: EmulatedRequest): string | undefined =>
  /^bearer +(\S+)$/i.exec(headers.authorization ?? "")?.[1];
