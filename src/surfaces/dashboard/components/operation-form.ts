// The form of an operation, made from the table of operations.
import Type, { type TProperties } from "typebox";
import { type BoundOperation, isWrite } from "../../../contracts/operation.ts";
import { type Html, html } from "../../../runtime/html.ts";
import { field } from "./fields.ts";
import { inlineMarkdown } from "./markdown.ts";

type Part = "params" | "query" | "body";

interface JsonSchema {
  type?: string | string[];
  enum?: string[];
  items?: JsonSchema;
  description?: string;
  maxLength?: number;
}

/** How a value is entered. */
type Kind = "text" | "long" | "number" | "choice" | "flag" | "list" | "json";

interface Input {
  part: Part;
  key: string;
  required: boolean;
  kind: Kind;
  description?: string | undefined;
  choices?: readonly string[] | undefined;
  /** What the form has in it at first. */
  initial?: string;
}

export const inputName = (part: string, key: string): string => `${part}.${key}`;

const LONG_TEXT = 1_000;

function kindOf({ type, enum: choices, items, maxLength = 0 }: JsonSchema): Kind {
  const [first] = [type ?? "object"].flat();
  if (choices) return "choice";
  if (first === "string") return maxLength > LONG_TEXT ? "long" : "text";
  if (first === "integer" || first === "number") return "number";
  if (first === "boolean") return "flag";
  return first === "array" && items?.type === "string" ? "list" : "json";
}

function toText(value: unknown, kind: Kind): string {
  if (value === undefined) return "";
  if (kind === "list" && Array.isArray(value)) return value.join("\n");
  return kind === "json" ? JSON.stringify(value, null, 2) : String(value);
}

const inputsFrom = (part: Part, properties: TProperties, sample: Record<string, unknown> = {}): Input[] =>
  Object.entries(properties).map(([key, property]) => {
    const schema = property as JsonSchema;
    const kind = kindOf(schema);
    const { description, enum: choices } = schema;
    const required = !Type.IsOptional(property);
    return { part, key, required, kind, description, choices, initial: required ? toText(sample[key], kind) : "" };
  });

/** What every list takes, besides its own parameters. */
const listInputs: Input[] = [
  {
    part: "query",
    key: "limit",
    required: false,
    kind: "number",
    description: "How many records: 1 to 100",
    initial: "5",
  },
  { part: "query", key: "after", required: false, kind: "text", description: "`next` of the page before" },
  {
    part: "query",
    key: "params",
    required: false,
    kind: "text",
    description: "A JSON object, passed on to the provider",
  },
];

const paramInputs = ({ parameters }: BoundOperation): Input[] =>
  parameters.map(({ name, description }) => ({ part: "params", key: name, required: true, kind: "text", description }));

function inputsOf(operation: BoundOperation): Input[] {
  const { kind, query, body, sample } = operation;
  return [
    ...paramInputs(operation),
    ...(body ? inputsFrom("body", body.properties, sample) : []),
    ...inputsFrom("query", query),
    ...(kind === "list" ? listInputs : []),
  ];
}

/** Without what a subscription decides for each call: from when on, and how many. */
export function subscribedInputs(operation: BoundOperation): Input[] {
  const { updated_since: _, ...query } = operation.query;
  return [...paramInputs(operation), ...inputsFrom("query", query)];
}

export interface OperationValues {
  params: Record<string, string>;
  query: Record<string, string>;
  body: Record<string, unknown> | undefined;
}

/** What JSON has in place of the text; the text itself if it does not fit, for the API to refuse it. */
function toValue(text: string, kind: Kind): unknown {
  if (kind === "number") return Number.isNaN(Number(text)) ? text : Number(text);
  if (kind === "flag") return text === "true";
  if (kind === "list") return text.split(/\r?\n/).filter((line) => line.trim() !== "");
  if (kind !== "json") return text.replaceAll("\r\n", "\n");
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Reads a sent form. Empty fields are left out, unless they are required: the API says so then. */
export function readValues(
  operation: BoundOperation,
  form: URLSearchParams,
  inputs = inputsOf(operation),
): OperationValues {
  const values: OperationValues = { params: {}, query: {}, body: operation.body ? {} : undefined };
  for (const { part, key, kind, required } of inputs) {
    const text = form.get(inputName(part, key)) ?? "";
    if (text === "" && !(required && part === "body" && (kind === "text" || kind === "long"))) continue;
    if (part === "body") values.body![key] = toValue(text, kind);
    else values[part][key] = text;
  }
  return values;
}

/** The values that a form has at first: those of a link that leads to it, otherwise its own. */
export function initialForm(
  operation: BoundOperation,
  given: Record<string, string | undefined> = {},
): URLSearchParams {
  const form = new URLSearchParams();
  for (const { part, key, initial = "" } of inputsOf(operation)) {
    const name = inputName(part, key);
    form.set(name, given[name] ?? initial);
  }
  return form;
}

export interface OperationForm {
  operation: BoundOperation;
  /** Default: all of a call. */
  inputs?: readonly Input[];
  values: URLSearchParams;
  /** By the input's name. */
  problems: ReadonlyMap<string, string>;
  /** Where the values of a path parameter are found: a link to the list that has them. */
  sourceLink(operation: string): string;
}

export function operationFields(form: OperationForm): Html {
  const { operation, inputs = inputsOf(operation), values, problems, sourceLink } = form;
  const sources = new Map(operation.parameters.map(({ name, source }) => [name, source]));
  const shown = (input: Input): Html => {
    const { part, key, required, kind, description, choices } = input;
    const name = inputName(part, key);
    const source = part === "params" ? sources.get(key) : undefined;
    const link =
      source &&
      html` <a href="${sourceLink(`${operation.category}.${source.operation}`)}">Find one: ${source.operation}, <code>${source.field}</code></a>`;
    return field({
      name,
      label: required ? key : `${key} (optional)`,
      value: values.get(name) ?? "",
      required,
      hint:
        (description || link) &&
        html`${description && inlineMarkdown(description)}${link}${kind === "list" && ". One per line"}${kind === "json" && ". As JSON"}`,
      problem: problems.get(name),
      ...(kind === "long" || kind === "list" ? { input: "lines" as const } : {}),
      ...(kind === "json" ? { input: "code" as const } : {}),
      ...(choices ? { options: choiceOptions(choices, required) } : {}),
      ...(kind === "flag" ? { options: choiceOptions(["true", "false"], required) } : {}),
    });
  };
  const isMain = (input: Input) =>
    input.required ||
    problems.has(inputName(input.part, input.key)) ||
    (!isWrite(operation.kind) && input.key === "limit");
  const [main, others] = [inputs.filter(isMain), inputs.filter((input) => !isMain(input))];
  return html`${main.map(shown)}
${others.length > 0 && html`<details><summary>${main.length > 0 ? "More fields" : "Optional fields"}</summary><div class="stack">${others.map(shown)}</div></details>`}`;
}

const choiceOptions = (choices: readonly string[], required: boolean) => [
  ...(required ? [] : ([["", "(not sent)"]] as const)),
  ...choices.map((choice) => [choice, choice] as const),
];
