// One operation of one provider while the conformance suite checks it.
import { Ajv } from "ajv";
import formats from "ajv-formats";
import { expect, onTestFinished, vi } from "vitest";
import { filledFields } from "../../scripts/filled-fields.ts";
import type { BoundOperation } from "../../src/contracts/operation.ts";
import type { Provider } from "../../src/contracts/provider.ts";
import type { Exchange } from "../../src/sandbox/index.ts";
import type { Answer } from "../support/platform.ts";
import type { Client } from "./client.ts";

export const NO_RETRY = { "SVC-Max-Retries": "0" };
const RAW_REQUESTS = [
  { query: { include_raw: "true" }, headers: {}, included: true },
  { query: {}, headers: { "SVC-Include-Raw": "true" }, included: true },
  { query: { include_raw: "false" }, headers: { "SVC-Include-Raw": "true" }, included: false },
  { query: {}, headers: {}, included: false },
];

export const ajv = new Ajv({ allErrors: true, strict: false });
formats.default(ajv, ["date-time", "email"]);

const staleFields = (id: string) =>
  `the fields of src/providers/fields.gen.ts are out of date: run npm run gen -- ${id}`;

/** The pause before a retry is random; here it is none, which saves a minute in all. */
export function retryAtOnce(): void {
  const random = vi.spyOn(Math, "random").mockReturnValue(0);
  onTestFinished(() => random.mockRestore());
}

export class CheckedOperation {
  readonly provider: Provider;
  readonly operation: BoundOperation;
  readonly operations: readonly BoundOperation[];
  /** Whether it stands for all operations of its kind at the provider. */
  readonly isRepresentative: boolean;
  /** Whether the engine's own rules are checked with it. */
  readonly checksEngine: boolean;
  /** Ways to ask for the provider's own response: all of them, or one. */
  readonly rawRequests: typeof RAW_REQUESTS;
  /** What titles of tests begin with: `github git.listIssues`. */
  readonly title: string;
  /** What is wrong with the records that the provider has made so far. */
  readonly problems: ReadonlySet<string>;
  /** The rest is known once the service runs. */
  client!: Client;
  pathParams: Record<string, string> = {};
  sample: object | undefined;
  /** Every record of a list. */
  all: any[] = [];
  #firstPath: Promise<string> | undefined;

  constructor(
    provider: Provider,
    operation: BoundOperation,
    operations: readonly BoundOperation[],
    { isRepresentative, checksEngine }: { isRepresentative: boolean; checksEngine: boolean },
    problems: ReadonlySet<string>,
  ) {
    this.provider = provider;
    this.operation = operation;
    this.operations = operations;
    this.isRepresentative = isRepresentative;
    this.checksEngine = checksEngine;
    this.rawRequests = checksEngine ? RAW_REQUESTS : RAW_REQUESTS.slice(0, 1);
    this.title = `${provider.manifest.id} ${operation.id}`;
    this.problems = problems;
  }

  async prepare(client: Client): Promise<void> {
    this.client = client;
    this.pathParams = await client.sampleParams(this.operation, this.operations);
    this.sample = await client.sampleBody(this.operation, this.operations);
    // A page that cannot be serialized ends the walk: what is wrong with its records is known by then.
    if (this.operation.kind === "list")
      this.all = await client.walk(this.operation, this.pathParams, [100]).catch((error: unknown) => {
        if (this.problems.size === 0) throw error;
        return [];
      });
  }

  call(query = {}, headers = {}): Promise<Answer> {
    return this.client.call(this.operation, this.pathParams, query, headers, this.sample);
  }

  /** An answer together with the exchanges that it took. */
  async watch(made: () => Promise<Answer>): Promise<{ answer: Answer; exchanges: Exchange[] }> {
    let answer: Answer | undefined;
    const exchanges = await this.client.exchanges(async () => {
      answer = await made();
    });
    return { answer: answer!, exchanges };
  }

  /** The path of the first request to the provider, for faults. */
  firstPath(): Promise<string> {
    this.#firstPath ??= this.client.exchanges(() => this.call()).then(([first]) => this.faultPath(first!.request.path));
    return this.#firstPath;
  }

  /** For faults: each uploaded file has a name of its own, which is part of the path at some providers. */
  faultPath(path: string): string {
    return path.replace(/\d+%20Pr%C3%BCfbericht[^:/]*/i, "*");
  }

  expectRecord(record: Record<string, unknown>): void {
    const validate = ajv.compile(this.operation.record);
    if (!validate(record)) throw new Error(`${JSON.stringify(record)}: ${ajv.errorsText(validate.errors)}`);
    this.expectTimes(record);
  }

  expectTimes(record: Record<string, unknown>): void {
    for (const [field, value] of Object.entries(record))
      if (field.endsWith("_at") && value !== null) expect(value).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
  }

  /** Generated together with docs/coverage.md. */
  expectFilledFields(records: object[]): void {
    const { fields, manifest } = this.provider;
    if (fields) expect(filledFields(records), staleFields(manifest.id)).toEqual(fields[this.operation.id]);
  }
}
