// A client of the Unified API and of the sandbox's controls, as the conformance suite uses them.
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import { PROBE } from "../support/contract/index.ts";
import type { Answer } from "../support/platform.ts";
import { clearFaults, type InjectedFault, injectFault, requestsDuring } from "../support/sandbox.ts";
import type { TestService } from "../support/service.ts";

export function createClient(service: TestService, provider: Provider) {
  const { id } = provider.manifest;

  /** Calls an operation. A send carries the operation's sample, unless another body is given. */
  async function call(
    operation: BoundOperation,
    pathParams: Record<string, string>,
    query: Record<string, string | number> = {},
    headers: Record<string, string> = {},
    body: object | undefined = operation.sample,
  ): Promise<Answer> {
    const path = operation.route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(pathParams[name]!));
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const response = await fetch(`${service.url}/unified${path}?${search}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections[id]!,
        ...(operation.body ? { "content-type": "application/json" } : {}),
        ...headers,
      },
      ...(operation.body ? { body: JSON.stringify(body ?? {}) } : {}),
    });
    const text = await response.text();
    let parsed: any;
    try {
      parsed = JSON.parse(text);
    } catch {}
    // Our own internal error, not the provider's 500: only the log says why.
    if (parsed?.errors?.[0]?.code === 7000)
      throw new Error(`${operation.id} failed with an internal error: ${service.logs().trim().split("\n").at(-1)}`);
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  /** Reads a list to its end, with the limits in turn, and checks the length of each page. */
  async function walk(operation: BoundOperation, pathParams: Record<string, string>, limits: number[]): Promise<any[]> {
    const records: any[] = [];
    let after: string | null = null;
    for (let page = 0; ; page++) {
      const limit = limits[page % limits.length]!;
      const answer: Answer = await call(operation, pathParams, { limit, ...(after ? { after } : {}) });
      if (answer.status !== 200) throw new Error(`${operation.id} answered ${answer.status}: ${answer.text}`);
      const { data, metadata } = answer.body.response;
      records.push(...data);
      after = metadata.next;
      if (after === null) return records;
      if (data.length !== limit) throw new Error(`a page of ${data.length} with limit=${limit} is not the last one`);
      if (page > 5_000) throw new Error("the list does not end");
    }
  }

  return {
    call,
    walk,

    /** Path parameters of an operation, from the first record of the lists that contain them. */
    async sampleParams(operation: BoundOperation, operations: readonly BoundOperation[]) {
      const pathParams: Record<string, string> = {};
      for (const { name, source } of operation.parameters) {
        const list = operations.find((one) => one.id === `${operation.category}.${source.operation}`)!;
        const answer = await call(list, {}, { limit: 1 });
        pathParams[name] = String(answer.body.response.data[0][source.field]);
      }
      return pathParams;
    },

    fault: (fault: Omit<InjectedFault, "provider">) => injectFault(service, { provider: id, ...fault }),
    clearFaults: () => clearFaults(service),

    /** Requests that reached the emulator while `work` ran, including those whose answer was a fault. */
    requests: (work: () => Promise<unknown>) => requestsDuring(service, id, work),

    /** The exchanges with the emulator while `work` ran. */
    async exchanges(work: () => Promise<unknown>): Promise<Exchange[]> {
      const seen: Exchange[] = [];
      const stop = service.sandbox.onExchange((exchange) => exchange.provider === id && seen.push(exchange));
      try {
        await work();
      } finally {
        stop();
      }
      return seen;
    },
  };
}

/** Whether the suite's parameter arrived, wherever the provider takes parameters. */
export const carriesProbe = ({ request }: Exchange): boolean =>
  request.query.get(PROBE) === "1" || request.body?.[PROBE] === "1" || request.body?.variables?.[PROBE] === "1";

export type Client = ReturnType<typeof createClient>;
