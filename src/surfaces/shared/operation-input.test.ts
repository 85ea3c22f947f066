import { expect, it, vi } from "vitest";
import { operations } from "../../categories/index.ts";
import { inputReader } from "../unified/input.ts";
import { readParameters, textAjv } from "./operation-input.ts";

const operation = operations.find(({ id }) => id === "git.listIssues")!;

it("the parameters of a subscription are compiled once for each operation: Ajv would keep them each time", () => {
  const compile = vi.spyOn(textAjv, "compile");
  for (let made = 0; made < 3; made++) expect(readParameters(operation, { repo: "acme/rocket" }).problems).toEqual([]);
  expect(compile.mock.calls.length).toBeLessThanOrEqual(1);
  compile.mockRestore();
});

it("the input of an operation is validated by one function for each prefix of headers", () => {
  expect(inputReader(operation, "SVC-")).toBe(inputReader(operation, "SVC-"));
  expect(inputReader(operation, "X-")).not.toBe(inputReader(operation, "SVC-"));
});
