// A client of the Unified API and of the sandbox's controls, as the suite uses them.
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import { PROBE } from "../support/contract/index.ts";
import type { TestService } from "../support/service.ts";

export interface Answered {
  status: number;
  headers: Headers;
  text: string;
  body: any;
}

export interface Fault {
  path?: string;
  status?: number;
  delay_ms?: number;
  drop?: boolean;
  truncate?: boolean;
  retry_after?: number;
  expire_tokens?: boolean;
  times?: number;
}

export function createClient(service: TestService, provider: Provider) {
  const { id } = provider.manifest;

  async function call(
    operation: BoundOperation,
    params: Record<string, string>,
    query: Record<string, string | number> = {},
    headers: Record<string, string> = {},
  ): Promise<Answered> {
    const path = operation.route.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params[name]!));
    const search = new URLSearchParams(
      Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
    );
    const send = operation.body
      ? {
          headers: { "content-type": "application/json" },
          body: JSON.stringify({ text: "Hello **bold** 👋 <b>&</b> [link](https://example.com)" }),
        }
      : { headers: {} };
    const response = await fetch(`${service.url}/unified${path}?${search}`, {
      method: operation.method,
      ...send,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections[id]!,
        ...send.headers,
        ...headers,
      },
    });
    const text = await response.text();
    let body: any;
    try {
      body = JSON.parse(text);
    } catch {}
    return { status: response.status, headers: response.headers, text, body };
  }

  /** All records of a list, page after page, with each page checked for its length. */
  async function walk(operation: BoundOperation, params: Record<string, string>, limits: number[]): Promise<any[]> {
    const records: any[] = [];
    let after: string | null = null;
    for (let page = 0; ; page++) {
      const limit = limits[page % limits.length]!;
      const answered: Answered = await call(operation, params, { limit, ...(after ? { after } : {}) });
      if (answered.status !== 200) throw new Error(`${operation.id} answered ${answered.status}: ${answered.text}`);
      const { data, metadata } = answered.body.response;
      records.push(...data);
      after = metadata.next;
      if (after === null) return records;
      if (data.length !== limit) throw new Error(`a page of ${data.length} with limit=${limit}, and more to come`);
      if (page > 5_000) throw new Error("the walk does not end");
    }
  }

  return {
    call,
    walk,

    /** Values for an operation's path, taken from the first record of the list that names them. */
    async sampleParams(operation: BoundOperation, operations: readonly BoundOperation[]) {
      const params: Record<string, string> = {};
      for (const { name, source } of operation.parameters) {
        const list = operations.find((one) => one.id === `${operation.category}.${source.operation}`)!;
        const answered = await call(list, {}, { limit: 1 });
        params[name] = String(answered.body.response.data[0][source.field]);
      }
      return params;
    },

    async fault(fault: Fault): Promise<void> {
      const response = await fetch(`${service.url}/sandbox/_faults`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ provider: id, ...fault }),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    clearFaults: () => fetch(`${service.url}/sandbox/_faults`, { method: "DELETE" }),

    /** What reached the emulator while `work` ran, broken answers included. */
    async requests(work: () => Promise<unknown>): Promise<{ method: string; path: string }[]> {
      await fetch(`${service.url}/sandbox/_requests`, { method: "DELETE" });
      await work();
      return (await fetch(`${service.url}/sandbox/_requests?provider=${id}`)).json() as any;
    },

    /** The whole exchanges while `work` ran. */
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

/** Whether the suite's own parameter arrived, wherever the provider takes parameters. */
export const carriesProbe = ({ request }: Exchange): boolean =>
  request.query.get(PROBE) === "1" || request.body?.[PROBE] === "1" || request.body?.variables?.[PROBE] === "1";

export type Client = ReturnType<typeof createClient>;
