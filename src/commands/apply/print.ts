import type { StepFailed } from "./carry-out.ts";
import type { Kind } from "./kinds.ts";
import type { InvalidFile } from "./read-file.ts";
import { type FieldChange, Hidden, type Plan, type Step } from "./steps.ts";

const MAX_VALUE_LENGTH = 200;
const SIGNS = { create: "+", change: "~", delete: "-" } as const;
const DONE = { create: "created", change: "changed", delete: "deleted" } as const;

/** Names and values come from elsewhere, and a terminal would obey their control characters. */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u{${one.codePointAt(0)!.toString(16)}}`);

function show(value: unknown): string {
  if (value instanceof Hidden) return printable(value.text);
  if (value === null || value === undefined) return "(none)";
  const text = printable(JSON.stringify(value));
  return text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH)}…` : text;
}

const describeField = ({ action }: Step, { name, from, to }: FieldChange): string =>
  `      ${printable(name)}: ${action === "create" ? show(to) : `${show(from)} → ${show(to)}`}`;

const label = ({ kind, name }: { kind: Kind; name: string }) => printable([kind.title, name].filter(Boolean).join(" "));

const describeStep = (step: Step): string =>
  [
    `  ${SIGNS[step.action]} ${label(step)}`,
    ...step.fields.map((field) => describeField(step, field)),
    ...(step.action === "delete" && step.kind.section === "integrations"
      ? ["      its connections stay, and can no longer be used"]
      : []),
  ].join("\n");

export const describeDone = (step: Step): string =>
  `${DONE[step.action]} ${label(step)}${step.action === "create" ? ` (${step.id})` : ""}`;

const count = (steps: Step[], action: Step["action"]) => steps.filter((step) => step.action === action).length;

export function describePlan({ steps, unchanged, others }: Plan): string {
  const summary = `${count(steps, "create")} to create, ${count(steps, "change")} to change, ${count(steps, "delete")} to delete, ${unchanged} unchanged.`;
  const kept =
    others.length > 0 ? [`Only in the workspace, and kept without --prune: ${others.map(label).join(", ")}.`] : [];
  return [...steps.map(describeStep), ...(steps.length > 0 ? [""] : []), summary, ...kept].join("\n");
}

/** The same for programs. */
export const planAsJson = ({ steps, unchanged, others }: Plan) => ({
  changes: steps.map(({ action, kind, name, id, fields, isDone = false }) => ({
    action,
    section: kind.section,
    name,
    id: id ?? null,
    done: isDone,
    fields: fields.map((field) => ({
      name: field.name,
      ...(action === "create" ? {} : { from: asJson(field.from) }),
      to: asJson(field.to),
    })),
  })),
  unchanged,
  only_in_workspace: others.map(({ kind, name }) => ({ section: kind.section, name })),
});

const asJson = (value: unknown): unknown => (value instanceof Hidden ? value.text : (value ?? null));

export const describeProblems = (file: string, { problems }: InvalidFile): string[] =>
  problems.map(({ line, column, field, message }) =>
    printable(`${file}:${line}:${column}: ${field ? `${field}: ` : ""}${message}`),
  );

/** Where the work ended, and what is left of it. */
export const describeFailure = ({ step, remaining, message }: StepFailed): string[] => [
  printable(`${SIGNS[step.action]} ${label(step)} failed: ${message}`),
  ...(remaining.length > 0
    ? [`Not done: ${remaining.map((one) => `${SIGNS[one.action]} ${label(one)}`).join(", ")}`]
    : []),
  "What was done before stays done. Run the command again to do the rest.",
];
