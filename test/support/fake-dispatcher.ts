import type { Dispatcher } from "undici";

/** One call as undici's parser would report it, step by step and without a socket. */
export class FakeCall {
  aborted: Error | undefined;
  paused = false;
  readonly handler: Dispatcher.DispatchHandler;
  readonly controller: Dispatcher.DispatchController;

  constructor(handler: Dispatcher.DispatchHandler) {
    this.handler = handler;
    const call = this;
    this.controller = {
      get aborted() {
        return call.aborted !== undefined;
      },
      get paused() {
        return call.paused;
      },
      get reason() {
        return call.aborted ?? null;
      },
      abort(reason: Error) {
        call.aborted ??= reason;
        handler.onResponseError?.(call.controller, reason);
      },
      pause() {
        call.paused = true;
      },
      resume() {
        call.paused = false;
      },
    } as Dispatcher.DispatchController;
  }

  start(): void {
    this.handler.onRequestStart?.(this.controller, null);
  }
  headers(status: number, headers: Record<string, string> = {}): void {
    this.handler.onResponseStart?.(this.controller, status, headers, "");
  }
  data(chunk: Buffer | string): void {
    this.handler.onResponseData?.(this.controller, Buffer.from(chunk));
  }
  end(): void {
    this.handler.onResponseEnd?.(this.controller, {});
  }
  fail(error: Error): void {
    this.handler.onResponseError?.(this.controller, error);
  }
}

/** A dispatcher that keeps every call for the test to play. */
export function createFakeDispatcher() {
  const calls: FakeCall[] = [];
  const dispatcher = {
    dispatch(_: unknown, handler: Dispatcher.DispatchHandler) {
      calls.push(new FakeCall(handler));
      return true;
    },
  } as unknown as Dispatcher;
  return { calls, dispatcher };
}
