// What every operation of every provider has to do, over real HTTP: client → Plugboard → emulated provider.
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { filledFields } from "../../scripts/filled-fields.ts";
import type { LazyEmulator } from "../../src/contracts/emulator.ts";
import type { Evidence } from "../../src/contracts/evidence.ts";
import { type BoundOperation, isWrite } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import { availableDescriptions, checkExchanges, PROBE, specsFolder } from "../support/contract/index.ts";
import type { Answer } from "../support/platform.ts";
import type { TestService } from "../support/service.ts";
import { type Client, carriesProbe, createClient, requiredBy, unknownLike } from "./client.ts";
import { watchRecords } from "./record-problems.ts";

const PASSED_THROUGH = [400, 401, 403, 404, 422, 429, 500];
/** Errors and retries are the engine's: all of them are tested for one operation of each kind, and these statuses for each other one. */
const PASSED_THROUGH_ELSEWHERE = [404, 429];
const NO_RETRY = { "SVC-Max-Retries": "0" };
/** Lists that have few records at real providers as well: they need not fill several pages. */
const SHORT_LISTS = new Set([
  "git.listIssueComments",
  "ticketing.listProjects",
  "tasks.listProjects",
  "tasks.listComments",
  "helpdesk.listComments",
  "calendar.listCalendars",
]);
const staleFields = (id: string) =>
  `the fields of src/providers/fields.gen.ts are out of date: run npm run gen -- ${id}`;
/** Query parameters that name a container, and the list that has their values. */
const CONTAINERS = { project_id: "listProjects", folder_id: "listFiles", calendar_id: "listCalendars" };
const RAW_REQUESTS = [
  { query: { include_raw: "true" }, headers: {}, included: true },
  { query: {}, headers: { "SVC-Include-Raw": "true" }, included: true },
  { query: { include_raw: "false" }, headers: { "SVC-Include-Raw": "true" }, included: false },
  { query: {}, headers: {}, included: false },
];

const ajv = new Ajv({ allErrors: true, strict: false });
formats.default(ajv, ["date-time", "email"]);

interface ConformanceOptions {
  operations: readonly BoundOperation[];
  providers: readonly Provider[];
  /** Starts a service with these operations, and with providers whose records are checked. */
  start(env: Record<string, string>, providers: readonly Provider[]): Promise<TestService>;
  emulators?: Readonly<Record<string, LazyEmulator>>;
  /** Official descriptions, by provider. */
  evidence?: Record<string, Evidence>;
}

/** The pause before a retry is random; here it is none, which saves a minute in all. */
function retryAtOnce(): void {
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
}

/** Declares the tests of every provider × operation. */
export function describeConformance(options: ConformanceOptions): void {
  const { operations, providers, start, emulators = {}, evidence = {} } = options;
  let service: TestService;
  /** The same with short timeouts. */
  let impatient: TestService;
  /** One whose tokens are refused: after ten refreshes in a minute that did not help, a connection is not refreshed. */
  let refusing: TestService;
  const recorded = new Map<string, Map<string, Exchange>>();
  const watched = watchRecords(providers, operations);

  beforeAll(async () => {
    const env = { UNIFIED_RATE_LIMIT: "1000000/60", LOG_LEVEL: "error" };
    service = await start(env, watched.providers);
    impatient = await start({ ...env, UPSTREAM_TIMEOUT_MS: "10", UPSTREAM_RETRY_TIMEOUT_MS: "10" }, providers);
    refusing = await start(env, providers);
    const record = (exchange: Exchange) => {
      const { method, path, query, body } = exchange.request;
      // One exchange of each form is enough for the contract suite.
      const form = JSON.stringify([
        method,
        path,
        exchange.reply.status,
        [...query.keys()],
        query.get("limit") ?? query.get("page[size]"),
        body,
      ]);
      const known = recorded.get(exchange.provider) ?? new Map<string, Exchange>();
      recorded.set(exchange.provider, known.set(form, exchange));
    };
    service.sandbox.onExchange(record);
    refusing.sandbox.onExchange(record);
  });
  afterAll(async () => {
    await service?.close();
    await impatient?.close();
    await refusing?.close();
  });

  const implementedBy = (provider: Provider): BoundOperation[] =>
    operations.filter((operation) =>
      provider.categories.some(
        ({ category, operations: own }) => category === operation.category && own[operation.name] !== undefined,
      ),
    );

  describe.each(providers.map((provider) => [provider.manifest.id, provider] as const))("%s", (id, provider) => {
    const implemented = implementedBy(provider);
    const firstOfKind = new Map(implemented.toReversed().map((operation) => [operation.kind, operation]));
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
      for (const operation of operations.filter((one) => !implemented.includes(one))) {
        const pathParams = Object.fromEntries(operation.parameters.map(({ name }) => [name, "a/b"]));
        const { status, body } = await client.call(operation, pathParams);
        expect([operation.id, status, body.errors[0].code]).toEqual([operation.id, 404, 7002]);
      }
    });

    it(`${id} keeps non-ASCII text intact`, async () => {
      const lists = implemented.filter(({ kind }) => kind === "list");
      const texts = await Promise.all(
        lists.map(async (list) => (await client.call(list, await client.sampleParams(list, operations))).text),
      );
      expect(texts.join("")).toMatch(/[^ -~\s]/);
      expect(texts.join("")).not.toContain("\ufffd");
    });

    describe.each(implemented.map((operation) => [operation.id, operation] as const))("%s", (name, operation) => {
      const subject = `${id} ${name}`;
      let pathParams: Record<string, string>;
      let sample: object | undefined;
      /** Every record of a list. */
      let all: any[];
      beforeAll(async () => {
        pathParams = await client.sampleParams(operation, operations);
        sample = await client.sampleBody(operation, operations);
        // A page that cannot be serialized ends the walk: what is wrong with its records is known by then.
        if (operation.kind === "list")
          all = await client.walk(operation, pathParams, [100]).catch((error: unknown) => {
            if (watched.problems.get(subject)!.size === 0) throw error;
            return [];
          });
        tested.add(operation);
      });
      /** For faults: each uploaded file has a name of its own, which is part of the path at some providers. */
      const faultPath = (path: string) => path.replace(/\d+%20Pr%C3%BCfbericht[^:/]*/i, "*");
      const call = (query = {}, headers = {}) => client.call(operation, pathParams, query, headers, sample);

      /** An answer together with the exchanges that it took. */
      async function watch(made: () => Promise<Answer>): Promise<{ answer: Answer; exchanges: Exchange[] }> {
        let answer: Answer | undefined;
        const exchanges = await client.exchanges(async () => {
          answer = await made();
        });
        return { answer: answer!, exchanges };
      }
      const callAndWatch = (query = {}, headers = {}) => watch(() => call(query, headers));

      if (operation.kind === "list") listChecks();
      if (operation.kind === "one") oneChecks();
      if (isWrite(operation.kind)) writeChecks();
      if (operation.kind === "download") downloadChecks();
      if (!isWrite(operation.kind)) unknownChecks();

      const representative = firstOfKind.get(operation.kind) === operation;
      if (representative) engineChecks();

      it.each(representative ? PASSED_THROUGH : PASSED_THROUGH_ELSEWHERE)(
        `${subject} passes on a provider's %i with its body and content type`,
        async (status) => {
          const [{ request }] = (await client.exchanges(() => call())) as [Exchange];
          // A refused token is refreshed and the call repeated: the second refusal is the answer.
          const asked = status === 401 ? createClient(refusing, provider) : client;
          await asked.fault({ status, path: faultPath(request.path), times: 2 });
          let answer!: Answer;
          const exchanges = await asked.exchanges(async () => {
            answer = await asked.call(operation, pathParams, {}, NO_RETRY, sample);
          });
          await asked.clearFaults();
          const { reply } = exchanges.findLast((exchange) => exchange.reply.status === status)!;
          expect(answer.status).toBe(status);
          expect(answer.text).toBe(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
          expect(answer.headers.get("content-type")).toBe(reply.headers["content-type"]);
        },
      );

      it(`${subject} answers 408 if the provider does not answer in time`, async () => {
        const impatientClient = createClient(impatient, provider);
        await impatientClient.fault({ delay_ms: 5_000, times: 1 });
        const { status, body } = await impatientClient.call(operation, pathParams, {}, NO_RETRY, sample);
        await impatientClient.clearFaults();
        expect([status, body.errors[0].code]).toEqual([408, 7003]);
      });

      if (provider.manifest.auth.oauth2?.lifetime !== undefined)
        it(`${subject} refreshes an expired token once and succeeds`, async () => {
          await client.fault({ expire_tokens: true, times: 1 });
          const address = provider.manifest.addresses[provider.manifest.auth.oauth2!.token]!;
          const tokenPath = new URL(address.replace(/[{}]/g, "")).pathname;
          const seen = await client.requests(async () => expect((await call()).status).toBe(200));
          expect(seen.filter(({ path }) => path.split("?")[0]!.endsWith(tokenPath))).toHaveLength(1);
        });

      function engineChecks() {
        it.each([0, 1, 3])(`${subject} is retried as often as Max-Retries says: %i`, async (retries) => {
          // A write is retried only if it cannot have been carried out.
          await client.fault({ status: isWrite(operation.kind) ? 429 : 503, retry_after: 0, times: 10 });
          const seen = await client.requests(() => call({}, { "SVC-Max-Retries": String(retries) }));
          // A stream cannot be sent twice.
          expect(seen).toHaveLength(operation.kind === "upload" ? 1 : retries + 1);
        });

        it(`${subject} answers 502 if the connection or the body breaks off`, async () => {
          // The bytes of a download are on their way already when its body breaks off.
          for (const broken of operation.kind === "download"
            ? [{ drop: true }]
            : [{ drop: true }, { truncate: true }]) {
            await client.fault({ ...broken, times: 1 });
            const { status, body } = await call({}, NO_RETRY);
            expect([status, body.errors[0].code]).toEqual([502, 7004]);
          }
        });
      }

      function expectRecord(record: Record<string, unknown>): void {
        const validate = ajv.compile(operation.record);
        if (!validate(record)) throw new Error(`${JSON.stringify(record)}: ${ajv.errorsText(validate.errors)}`);
        expectTimes(record);
      }

      function expectTimes(record: Record<string, unknown>): void {
        for (const [field, value] of Object.entries(record))
          if (field.endsWith("_at") && value !== null) expect(value).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      }

      /** Generated together with docs/coverage.md. */
      function expectFilledFields(records: object[]): void {
        if (provider.fields) expect(filledFields(records), staleFields(id)).toEqual(provider.fields[operation.id]);
      }

      function listChecks() {
        it(`${subject} fills the fields that docs/coverage.md says`, () => expectFilledFields(all));

        it(`${subject} makes records in which no field is missing or wrong`, () => {
          expect([...watched.problems.get(subject)!]).toEqual([]);
          for (const record of all) expectTimes(record);
        });

        it(`${subject} returns each record once`, () => {
          expect(new Set(all.map((record) => record.id ?? record.name ?? record.sha)).size).toBe(all.length);
          expect(all.length).toBeGreaterThan(SHORT_LISTS.has(operation.id) ? 2 : 250);
        });

        it(`${subject} returns the same records with any limits`, async () => {
          expect(await client.walk(operation, pathParams, [7, 100, 1, 3, 50])).toEqual(all);
        });

        it(`${subject} returns the same records one at a time`, async () => {
          // Enough to cross the border between two pages of the provider more than once.
          expect(await client.walk(operation, pathParams, [1], { most: 30 })).toEqual(all.slice(0, 30));
        });

        if ("updated_since" in operation.query)
          it(`${subject} returns exactly the records that were updated since a time`, async () => {
            const known = all.flatMap(({ updated_at }) => updated_at ?? []).sort();
            const updated_since = known[Math.floor(known.length * 0.7)] ?? "2025-01-01T00:00:00.000Z";
            const found = await client.walk(operation, pathParams, [100], { query: { updated_since } });
            const byId = (records: any[]) => records.toSorted((a, b) => (a.id < b.id ? -1 : 1));
            expect(byId(found)).toEqual(
              byId(all.filter(({ updated_at }) => !updated_at || updated_at >= updated_since)),
            );
          });

        it(`${subject} returns the provider's own response on request, by query and by header`, async () => {
          for (const { query, headers, included } of RAW_REQUESTS) {
            const { answer, exchanges } = await callAndWatch({ limit: 3, ...query }, headers);
            const { _raw, data } = answer.body.response;
            expect(data).toHaveLength(3);
            if (!included) expect(_raw).toBeUndefined();
            else expect(exchanges.map(({ reply }) => reply.body)).toContainEqual(_raw.pages?.[0] ?? _raw);
          }
        });

        it(`${subject} passes \`params\` on to the provider`, async () => {
          const exchanges = await client.exchanges(() => call({ limit: 5, params: JSON.stringify({ [PROBE]: "1" }) }));
          expect(exchanges.some(carriesProbe)).toBe(true);
        });

        it(`${subject} succeeds after one broken connection or body if retries are allowed`, async () => {
          retryAtOnce();
          for (const broken of [{ drop: true }, { truncate: true }]) {
            await client.fault({ ...broken, times: 1 });
            expect((await call({ limit: 5 }, { "SVC-Max-Retries": "1" })).body.response.data).toEqual(all.slice(0, 5));
          }
        });

        it(`${subject} refuses a cursor that was changed`, async () => {
          const { next } = (await call({ limit: 1 })).body.response.metadata;
          const change = (at: number) => next.slice(0, at) + (next[at] === "A" ? "B" : "A") + next.slice(at + 1);
          const changed = [change(0), change(next.length - 1), change(next.length >> 1)];
          for (const after of [...changed, `${next}A`, next.slice(1), "x"]) {
            const { status, body } = await call({ after });
            expect([status, body.errors[0].path]).toEqual([400, ["query", "after"]]);
          }
        });
      }

      function oneChecks() {
        it(`${subject} returns one record that matches its schema`, async () => {
          const { status, body } = await call();
          expect([status, Object.keys(body.response)]).toEqual([200, ["data"]]);
          expectRecord(body.response.data);
          expect([...watched.problems.get(subject)!]).toEqual([]);
          expectFilledFields([body.response.data]);
        });

        const [id] = operation.parameters;
        if (id)
          it(`${subject} returns the same record as the list`, async () => {
            const source = operations.find((one) => one.id === `${operation.category}.${id.source.operation}`)!;
            for (const record of (await client.call(source, {}, { limit: 5 })).body.response.data) {
              const { body } = await client.call(operation, { [id.name]: record[id.source.field] });
              expect(body.response.data).toEqual(record);
            }
          });

        it(`${subject} returns the provider's own response on request, by query and by header`, async () => {
          for (const { query, headers, included } of RAW_REQUESTS) {
            const { answer, exchanges } = await callAndWatch(query, headers);
            expectRecord(answer.body.response.data);
            // A record that takes several calls has all of their responses.
            const bodies = exchanges.map(({ reply }) => reply.body);
            const whole = bodies.length === 1 ? bodies[0] : { pages: bodies };
            expect(answer.body.response._raw).toEqual(included ? whole : undefined);
          }
        });

        it(`${subject} succeeds after one broken connection or body if retries are allowed`, async () => {
          retryAtOnce();
          for (const broken of [{ drop: true }, { truncate: true }]) {
            await client.fault({ ...broken, times: 1 });
            expect((await call({}, { "SVC-Max-Retries": "1" })).status).toBe(200);
          }
        });
      }

      function writeChecks() {
        if (operation.kind !== "upload")
          it(`${subject} has a sample body that matches its schema`, () => {
            expect(operation.sample).toBeDefined();
            expect([ajv.validate(operation.body!, operation.sample), ajv.errorsText()]).toEqual([true, "No errors"]);
          });

        it(`${subject} writes its sample and returns the ${operation.kind === "send" ? "provider's response" : "record"}`, async () => {
          const { answer, exchanges } = await callAndWatch({ include_raw: "true" });
          const { body } = exchanges.at(-1)!.reply;
          expect(answer.status).toBe(200);
          const { data, _raw } = answer.body.response;
          expect(_raw).toEqual(
            exchanges.length === 1 ? body : { pages: exchanges.map(({ reply }) => reply.body ?? null) },
          );
          if (operation.kind === "send") expect(data).toEqual(body);
          else expectRecord(data);
        });

        it(`${subject} is not repeated if it may have been carried out`, async () => {
          const calls = await client.exchanges(() => call());
          const { path, method } = calls.findLast(({ request }) => request.method !== "GET")!.request;
          // The fault hits the first call to the path, which has to be the write itself.
          if (calls.find(({ request }) => request.path === path)?.request.method !== method) return;
          if (calls.filter(({ request }) => request.path === path && request.method === method).length > 1) return;
          const [start, end = ""] = faultPath(path).split("*") as [string, string?];
          const isSame = (other: string) => other.startsWith(start) && other.endsWith(end);
          for (const broken of [{ status: 500, retry_after: 0 }, { drop: true }]) {
            await client.fault({ ...broken, path: faultPath(path), times: 1 });
            const seen = await client.requests(() => call({}, { "SVC-Max-Retries": "3" }));
            const own = seen.filter((one) => (end ? isSame(one.path.split("?")[0]!) : one.path.split("?")[0] === path));
            expect(own.filter((one) => one.method === method)).toHaveLength(1);
          }
        });

        it.each(requiredBy(provider, operation))(`${subject} refuses a body without %s`, async (field) => {
          const seen = await client.requests(async () => {
            const { status, body } = await client.call(
              operation,
              pathParams,
              {},
              {},
              { ...sample, [field]: undefined },
            );
            expect([status, body.errors[0].code, body.errors[0].path]).toEqual([400, 7001, ["body", field]]);
          });
          expect(seen).toEqual([]);
        });
      }

      /** Whoever names a record or a container that does not exist gets the answer of the provider. */
      function unknownChecks() {
        const answersUnknown = (name: string, made: () => Promise<Answer>) =>
          it(`${subject} answers an unknown ${name} with the provider's own error`, async () => {
            const { answer, exchanges } = await watch(made);
            const { reply } = exchanges.at(-1)!;
            expect(answer.headers.get("svc-error-source")).toBe("provider");
            expect(answer.text).toBe(typeof reply.body === "string" ? reply.body : JSON.stringify(reply.body));
            // A failure may be inside a 200.
            expect(answer.status).toBe(reply.status === 200 ? 404 : reply.status);
            expect(Math.floor(answer.status / 100)).toBe(4);
          });

        const last = operation.parameters.at(-1)?.name;
        if (last)
          answersUnknown(last, () => client.call(operation, { ...pathParams, [last]: unknownLike(pathParams[last]!) }));
        for (const [filter, list] of Object.entries(CONTAINERS).filter(([name]) => name in operation.query))
          answersUnknown(filter, async () => {
            const source = operations.find(({ id }) => id === `${operation.category}.${list}`)!;
            const [known] = (await client.call(source, {}, { limit: 1 })).body.response.data;
            return call({ [filter]: unknownLike(known.id) });
          });
      }

      function downloadChecks() {
        it(`${subject} returns the provider's bytes as an attachment`, async () => {
          const { answer, exchanges } = await callAndWatch();
          const { body } = exchanges.at(-1)!.reply;
          expect(answer.status).toBe(200);
          expect(answer.text).toBe(typeof body === "string" ? body : JSON.stringify(body));
          expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
        });
      }
    });

    const folder = specsFolder();
    const descriptions = availableDescriptions(evidence[id], folder);
    // Declared last, so that the exchanges of all the other tests are checked as well.
    if (descriptions.length > 0)
      it.skipIf(!folder && !process.env.CI)(
        `${id} matches its official description${folder ? "" : " (CONTRACT_SPECS is not set)"}`,
        async () => {
          if (!folder) throw new Error("CONTRACT_SPECS is not set: see docs/contract-suite.md");
          for (const operation of implemented) {
            if (operation.kind === "list") await walkAgain(client, operation, operations);
            if (!tested.has(operation)) await exercise(client, operation, operations);
          }
          const result = checkExchanges(provider, descriptions, [...recorded.get(id)!.values()], folder);
          expect(result.violations).toEqual([]);
          expect(result.stale).toEqual([]);
          expect(result.checked).toBeGreaterThan(0);
        },
      );
  });
}

/** Of pages with one form the last is checked, which has to be the end of the list. */
async function walkAgain(client: Client, operation: BoundOperation, operations: readonly BoundOperation[]) {
  await client.walk(operation, await client.sampleParams(operation, operations), [100, 7]);
}

/** Makes the other exchanges that a check against a description needs, if it runs without the other tests. */
async function exercise(client: Client, operation: BoundOperation, operations: readonly BoundOperation[]) {
  const pathParams = await client.sampleParams(operation, operations);
  const sample = await client.sampleBody(operation, operations);
  const call = () => client.call(operation, pathParams, {}, NO_RETRY, sample);
  const [{ request }] = (await client.exchanges(call)) as [Exchange];
  for (const status of PASSED_THROUGH) {
    await client.fault({ status, path: request.path, times: 2 });
    await call();
    await client.clearFaults();
  }
}
