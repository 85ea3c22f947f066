// A client of the Unified API and of the sandbox's controls, as the conformance suite uses them.
import Type from "typebox";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { OneImplementation, Provider } from "../../src/contracts/provider.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import { PROBE } from "../support/contract/index.ts";
import type { Answer } from "../support/platform.ts";
import { clearFaults, type InjectedFault, injectFault, requestsDuring } from "../support/sandbox.ts";
import type { TestService } from "../support/service.ts";

/** Files uploaded so far: each has a name of its own, because some providers refuse a name that is in use. */
let uploads = 0;

/** Records created so far: each has an email address of its own, which some providers require. */
let creations = 0;

/** A sample to create a record from, with an email address that is not in use yet. */
const fresh = ({ kind, sample }: BoundOperation, body: object | undefined) =>
  kind === "create" && body && "email" in body && body.email === (sample as { email?: string }).email
    ? { ...body, email: `${++creations}.${body.email}` }
    : body;

/** The operation's required query parameters, with the values of their examples. */
export function requiredQuery({ query, kind }: BoundOperation): Record<string, string> {
  const required = Object.fromEntries(
    Object.entries(query as Record<string, { example?: string }>)
      .filter(([, schema]) => schema.example !== undefined && !Type.IsOptional(schema))
      .map(([name, { example }]) => [name, example!]),
  );
  return kind === "upload" ? { ...required, name: `${++uploads} ${required.name}` } : required;
}

/** Fields of an operation's body that the provider requires in addition to the table. */
export function requiredBy({ categories }: Provider, { category, name }: BoundOperation): readonly string[] {
  const implemented = categories.find((one) => one.category === category)?.operations[name];
  return (implemented as OneImplementation | undefined)?.requires ?? [];
}

/** The content of uploaded files. */
const UPLOADED = "Grüße aus der Datei 📄";

export function createClient(service: TestService, provider: Provider) {
  const { id } = provider.manifest;
  let faulty = false;

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
      Object.entries({ ...requiredQuery(operation), ...query }).map(([name, value]): [string, string] => [
        name,
        String(value),
      ]),
    );
    const response = await fetch(`${service.url}/unified${path}?${search}`, {
      method: operation.method,
      headers: {
        authorization: `Bearer ${service.apiKey}`,
        "SVC-Connection-ID": service.connections[id]!,
        ...(operation.body ? { "content-type": "application/json" } : {}),
        ...(operation.kind === "upload" ? { "content-type": "text/plain" } : {}),
        ...headers,
      },
      ...(operation.body ? { body: JSON.stringify(fresh(operation, body) ?? {}) } : {}),
      ...(operation.kind === "upload" ? { body: UPLOADED } : {}),
    });
    const text = await response.text();
    let parsed: any;
    try {
      parsed = JSON.parse(text);
    } catch {}
    // The provider's own code failed on an answer, or ours: only the log says why.
    const { code, detail } = parsed?.errors?.[0] ?? {};
    if (code === 7000 || /documented format/.test(detail)) {
      const entry = service
        .logs()
        .split("\n")
        .findLast((line) => /"level":"(?:warn|error)"/.test(line));
      const [message, place] = JSON.parse(entry ?? "{}").err?.stack.split("\n") ?? [entry];
      throw new Error(`${operation.id} failed with ${response.status}: ${message}${place ? `,${place}` : ""}`);
    }
    return { status: response.status, headers: response.headers, text, body: parsed };
  }

  /** Reads a list to its end, with the limits in turn. Checks the length of each page. */
  async function walk(
    operation: BoundOperation,
    pathParams: Record<string, string>,
    limits: number[],
    query: Record<string, string> = {},
  ): Promise<any[]> {
    const records: any[] = [];
    let after: string | null = null;
    for (let page = 0; ; page++) {
      const limit = limits[page % limits.length]!;
      const answer: Answer = await call(operation, pathParams, { ...query, limit, ...(after ? { after } : {}) });
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
        const answer = await call(list, pathParams, { limit: 1 });
        pathParams[name] = String(answer.body.response.data[0][source.field]);
      }
      return pathParams;
    },

    /**
     * The operation's sample: with what this provider requires in addition, from the list that has it, and with the
     * first ticket's own status if the provider has no tags to change.
     */
    async sampleBody(operation: BoundOperation, operations: readonly BoundOperation[]) {
      const { sample, category, kind } = operation;
      const tickets = operations.find((one) => one.id === `${category}.listTickets`);
      if (kind === "update" && tickets) {
        const { data } = (await call(tickets, {}, { limit: 100 })).body.response;
        const hasTags =
          provider.fields?.[tickets.id]?.includes("tags") ?? data.some((one: any) => one.tags?.length > 0);
        if (!hasTags) return { status: data[0].status };
      }
      const filled = { ...sample };
      for (const field of requiredBy(provider, operation).filter((one) => filled[one] === undefined)) {
        const source = operation.sources[field]!;
        const list = operations.find((one) => one.id === `${category}.${source.operation}`)!;
        filled[field] = (await call(list, {}, { limit: 1 })).body.response.data[0][source.field];
      }
      return sample && filled;
    },

    async fault(fault: Omit<InjectedFault, "provider">) {
      faulty = true;
      await injectFault(service, { provider: id, ...fault });
    },
    async clearFaults() {
      if (faulty) await clearFaults(service);
      faulty = false;
    },

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

/** An ID of the same form as another one that no record has. */
export const unknownLike = (id: string): string =>
  /^\d+$/.test(id) || id.length < 20
    ? `${id}999`
    : id.slice(0, -6) + id.slice(-6).replace(/\d/g, "9").replace(/[a-z]/g, "e").replace(/[A-Z]/g, "E");

/** Whether the suite's parameter arrived, wherever the provider takes parameters. */
export const carriesProbe = ({ request }: Exchange): boolean =>
  request.query.get(PROBE) === "1" || request.body?.[PROBE] === "1" || request.body?.variables?.[PROBE] === "1";

export type Client = ReturnType<typeof createClient>;
