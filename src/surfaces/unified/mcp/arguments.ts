import type { Problem } from "../../../contracts/fault.ts";

/** A tool that is no operation, as far as its arguments are checked. */
export interface CheckedTool {
  name: string;
  inputSchema: {
    properties: Record<string, { type?: string; enum?: readonly string[]; description?: string }>;
    required?: readonly string[];
  };
}

const problem = (name: string, message: string): Problem => ({ path: ["arguments", name], message });

export function unknownArguments(tool: string, given: object, names: readonly string[]): Problem[] {
  const taken = names.length > 0 ? `takes ${names.join(", ")}` : "takes none";
  return Object.keys(given)
    .filter((name) => !names.includes(name))
    .map((name) => problem(name, `is not an argument of ${tool}, which ${taken}`));
}

/** Null counts as absent: some clients send every argument that there is. */
export const withoutNulls = (args: object): Record<string, unknown> =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== null));

const isOfType = (value: unknown, type: string) =>
  type === "object" ? typeof value === "object" && !Array.isArray(value) : typeof value === type;

/**
 * What is wrong with a call's arguments by the tool's schema. Ajv would keep each of these schemas, which are made for every
 * request.
 */
export function findProblems({ name: tool, inputSchema }: CheckedTool, args: object): Problem[] {
  const { properties, required = [] } = inputSchema;
  const given = withoutNulls(args);
  const wrong = Object.entries(properties).flatMap(([name, { type, enum: choices = [] }]) => {
    const value = given[name];
    if (value === undefined)
      return required.includes(name)
        ? problem(name, choices.length > 0 ? `is required: one of ${choices.join(", ")}` : "is required")
        : [];
    return type && !isOfType(value, type) ? problem(name, `must be ${type === "object" ? "an object" : "a text"}`) : [];
  });
  return [...unknownArguments(tool, args, Object.keys(properties)), ...wrong];
}
