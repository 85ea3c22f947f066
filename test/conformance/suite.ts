// What every operation of every provider has to do, over real HTTP: client → Plugboard → emulated provider.
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { LazyEmulator } from "../../src/contracts/emulator.ts";
import type { Evidence } from "../../src/contracts/evidence.ts";
import { type BoundOperation, isWrite } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import { availableDescriptions, checkExchanges, specsFolder } from "../support/contract/index.ts";
import type { TestService } from "../support/service.ts";
import { CheckedOperation, NO_RETRY } from "./checked-operation.ts";
import { type Client, createClient } from "./client.ts";
import { describeCustomFields } from "./custom-field-checks.ts";
import { checkErrors, PASSED_THROUGH } from "./error-checks.ts";
import { checkFilters } from "./filter-checks.ts";
import { checkList } from "./list-checks.ts";
import { checkDownload, checkOne, checkUnknown } from "./record-checks.ts";
import { watchRecords } from "./record-problems.ts";
import { checkWrite } from "./write-checks.ts";

interface ConformanceOptions {
  operations: readonly BoundOperation[];
  providers: readonly Provider[];
  /** Starts a service with these operations, and with providers whose records are checked. */
  start(env: Record<string, string>, providers: readonly Provider[]): Promise<TestService>;
  emulators?: Readonly<Record<string, LazyEmulator>>;
  /** Official descriptions, by provider. */
  evidence?: Record<string, Evidence>;
  /** Whether the engine's rules are checked once for each kind of operation, rather than for each one of a provider. */
  oncePerKind?: boolean;
}

/** The first operation of each kind. */
const oneOfEachKind = (operations: readonly BoundOperation[]): BoundOperation[] => [
  ...new Map(operations.toReversed().map((operation) => [operation.kind, operation])).values(),
];

/** Operations with which the engine's rules are checked: one of each provider, and those whose kind is not `known` yet. */
function withEngineRules(all: readonly BoundOperation[], known: Set<string>): BoundOperation[] {
  const own = all.find(({ kind }) => kind === "list") ?? all[0];
  const chosen = all.filter((operation) => operation === own || !known.has(operation.kind));
  for (const { kind } of all) known.add(kind);
  return chosen;
}

/** Some lists are read by POST, and the place of a page is in the body then: a number, a cursor, or a time. */
const withoutPlace = (key: string, value: unknown): unknown =>
  typeof value === "number" || /cursor|after|page/i.test(key) || /^\d{4}-\d\d-\d\dT/.test(String(value))
    ? typeof value
    : value;

const isImplementedBy =
  ({ categories }: Provider) =>
  ({ category, name }: BoundOperation): boolean =>
    categories.some((one) => one.category === category && one.operations[name] !== undefined);

/** Declares the tests of every provider × operation. */
export function describeConformance(options: ConformanceOptions): void {
  const { operations, providers, start, emulators = {}, evidence = {}, oncePerKind = false } = options;
  const knownKinds = new Set<string>();
  let service: TestService;
  let impatient: TestService;
  const recorded = new Map<string, Map<string, Exchange>>();
  const watched = watchRecords(providers, operations);

  /** Keeps the last exchange of each form, which is enough for the contract suite, for each purpose. */
  function record(exchange: Exchange, purpose?: "walk"): void {
    const { method, path, query, body } = exchange.request;
    const limit = query.get("limit") ?? query.get("page[size]");
    const status = String(exchange.reply.status);
    const form = JSON.stringify([method, path, status, [...query.keys()], limit, body, purpose], withoutPlace);
    const known = recorded.get(exchange.provider) ?? new Map<string, Exchange>();
    recorded.set(exchange.provider, known.set(form, exchange));
  }

  beforeAll(async () => {
    const env = { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "error" };
    service = await start(env, watched.providers);
    impatient = await start({ ...env, UPSTREAM_TIMEOUT_MS: "10", UPSTREAM_RETRY_TIMEOUT_MS: "10" }, providers);
    service.sandbox.onExchange((exchange) => record(exchange));
  });
  afterAll(async () => {
    await service?.close();
    await impatient?.close();
  });

  describe.each(providers.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
    const implemented = operations.filter(isImplementedBy(provider));
    const representatives = oneOfEachKind(implemented);
    const engineChecks = withEngineRules(representatives, oncePerKind ? knownKinds : new Set());
    /** Operations whose own tests have run. */
    const tested = new Set<BoundOperation>();
    let client: Client;
    beforeAll(() => {
      client = createClient(service, provider);
    });
    afterEach(() => client.clearFaults());

    it(`${id} has a connection in the sandbox and implements an operation`, () => {
      expect(service.connections[id]).toMatch(/^conn_/);
      expect(implemented.length).toBeGreaterThan(0);
    });

    if (emulators[id])
      it(`${id} has the same emulated data at every start`, async () => {
        const emulator = await emulators[id]!.load();
        const entries = (_: string, value: unknown) =>
          value instanceof Map || value instanceof Set ? [...value] : value;
        const [first, second] = [1, 2].map(() => JSON.stringify(emulator.state(), entries));
        expect(first === second).toBe(true);
      });

    it(`${id} answers 404/7002 to operations that it does not implement`, async () => {
      for (const operation of oneOfEachKind(operations.filter((one) => !implemented.includes(one)))) {
        const pathParams = Object.fromEntries(operation.parameters.map(({ name }) => [name, "a/b"]));
        const { status, body } = await client.call(operation, pathParams);
        expect([operation.id, status, body.errors[0].code]).toEqual([operation.id, 404, 7002]);
      }
    });

    const all = implemented.map((operation) => {
      const problems = watched.problems.get(`${id} ${operation.id}`) ?? new Set();
      const stands = {
        isRepresentative: representatives.includes(operation),
        checksEngine: engineChecks.includes(operation),
      };
      return new CheckedOperation(provider, operation, operations, stands, problems);
    });
    describe.each(all.map((checked) => [checked.operation.id, checked] as const))("%s", (_, checked) => {
      const { operation } = checked;
      beforeAll(async () => {
        // A list is walked to its end: that page is checked, whatever else is asked for afterwards.
        for (const exchange of await client.exchanges(() => checked.prepare(client))) record(exchange, "walk");
        tested.add(operation);
      });

      if (operation.kind === "list") {
        checkList(checked);
        checkFilters(checked);
      }
      if (operation.kind === "one") checkOne(checked);
      if (operation.kind === "download") checkDownload(checked);
      if (isWrite(operation.kind)) checkWrite(checked);
      else checkUnknown(checked);
      checkErrors(checked, () => impatient);
    });

    it(`${id} keeps non-ASCII text intact`, async () => {
      const lists = all.filter(({ operation }) => operation.kind === "list");
      for (const list of lists) if (!tested.has(list.operation)) await list.prepare(client);
      const text = JSON.stringify(lists.map((list) => list.all));
      expect(text).toMatch(/[^ -~\s]/);
      expect(text).not.toContain("\ufffd");
    });

    // After the operations: they add records, which may come first in a list.
    describeCustomFields({ provider, implemented, operations, service: () => service, client: () => client });

    const folder = specsFolder();
    const descriptions = availableDescriptions(evidence[id], folder);
    // Declared last, so that the exchanges of all the other tests are checked as well.
    if (descriptions.length > 0)
      it.skipIf(!folder && !process.env.CI)(
        `${id} matches its official description${folder ? "" : " (CONTRACT_SPECS is not set)"}`,
        async () => {
          if (!folder) throw new Error("CONTRACT_SPECS is not set: see docs/contract-suite.md");
          for (const operation of implemented)
            if (!tested.has(operation)) await exercise(client, operation, operations);
          const scopes = provider.manifest.auth.oauth2?.scopes;
          const result = checkExchanges(provider, descriptions, [...recorded.get(id)!.values()], folder, scopes);
          expect(result.violations).toEqual([]);
          expect(result.stale).toEqual([]);
          expect(result.checked).toBeGreaterThan(0);
        },
      );
  });
}

/** Makes the exchanges that a check against a description needs, if it runs without the other tests. */
async function exercise(client: Client, operation: BoundOperation, operations: readonly BoundOperation[]) {
  const pathParams = await client.sampleParams(operation, operations);
  if (operation.kind === "list") await client.walk(operation, pathParams, [100, 7]);
  const sample = await client.sampleBody(operation, operations);
  const call = () => client.call(operation, pathParams, {}, NO_RETRY, sample);
  const [{ request }] = (await client.exchanges(call)) as [Exchange];
  for (const status of PASSED_THROUGH) {
    await client.fault({ status, path: request.path, times: 2 });
    await call();
    await client.clearFaults();
  }
}
