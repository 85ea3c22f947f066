import { categories, operations } from "../categories/index.ts";
import type { Manifest } from "../contracts/manifest.ts";
import type { BoundOperation } from "../contracts/operation.ts";
import type { ImplementedCategory } from "../contracts/provider.ts";
import { didYouMean, type FieldProblem } from "./shape.ts";
import * as shapes from "./shapes.ts";

const ID = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;
const MAX_ID = 50;
/** Also refuses names that every object has: a provider with such an id would be found everywhere. */
export const isProviderId = (id: string): boolean => ID.test(id) && id.length <= MAX_ID && !(id in {});

const settingsIn = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);

export function manifestProblems(given: unknown, folder: string, isTaken: (id: string) => boolean): FieldProblem[] {
  const problems = shapes.manifest(given, "");
  const add = (field: string, message: string) => problems.push({ field, message });
  const { id } = (given ?? {}) as Partial<Manifest>;
  if (!isProviderId(folder))
    add("id", `the folder's name must be lower-case letters, digits and hyphens, at most ${MAX_ID}`);
  if (id && id !== folder) add("id", `must be "${folder}", the name of the folder, not "${id}"`);
  else if (isTaken(folder)) add("id", `there is already a provider "${id}": choose another id and folder name`);
  return problems.length > 0 ? problems : referenceProblems(given as Manifest);
}

/** Names in a manifest that nothing has. */
function referenceProblems({ addresses, addressesWith = {}, auth, settings = {}, check, headers = {} }: Manifest) {
  const problems: FieldProblem[] = [];
  const add = (field: string, message: string) => problems.push({ field, message });
  const known = new Set([addresses, ...Object.values(addressesWith)].flatMap((one) => Object.keys(one)));
  const checkAddress = (field: string, name: unknown) => {
    if (name !== undefined && !known.has(name as string))
      add(field, `must be the name of one of the addresses: ${[...known].join(", ")}`);
  };
  const { oauth2 } = auth;
  if (oauth2) {
    for (const field of ["authorize", "token", "refresh"] as const) checkAddress(`auth.oauth2.${field}`, oauth2[field]);
    const { revoke } = oauth2;
    if (revoke && typeof revoke !== "function") checkAddress("auth.oauth2.revoke.address", revoke.address);
  }
  if (check) checkAddress("check.to", check.to);
  for (const [name, { pattern }] of Object.entries(settings))
    if (!isRegularExpression(pattern)) add(`settings.${name}.pattern`, "must be a regular expression");
  for (const [group, texts] of Object.entries({ addresses, headers }))
    for (const [name, value] of Object.entries(texts))
      for (const setting of settingsIn(value ?? ""))
        if (!Object.hasOwn(settings, setting)) add(`${group}.${name}`, `{${setting}} is not one of the settings`);
  return problems;
}

function isRegularExpression(pattern: string): boolean {
  try {
    return RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

const categoryOf = (id: string) => categories.find((category) => category.id === id);
export const isCategory = (id: string): boolean => categoryOf(id) !== undefined;

/** Whether a default export is an implementation of a category, in whatever file. */
export const isImplementation = (exported: unknown): boolean =>
  typeof exported === "object" && exported !== null && "category" in exported && "operations" in exported;

/** `file` is the file's name without its ending. */
export function implementationProblems(exported: unknown, file: string): FieldProblem[] {
  if (isCategory(file) && !isImplementation(exported))
    return [{ field: "the default export", message: `must be implement(${file}, { … })` }];
  const problems = shapes.implementation(exported, "");
  if (problems.length > 0) return problems;
  const { category: id, operations: implemented } = exported as ImplementedCategory;
  const category = categoryOf(id);
  if (!category) {
    const ids = categories.map((one) => one.id);
    return [{ field: "category", message: `"${id}" is none of the categories: ${ids.join(", ")}` }];
  }
  if (id !== file) return [{ field: "category", message: `"${id}" is implemented in ${id}.ts, not in ${file}.ts` }];
  return Object.entries(implemented).flatMap(([name, implementation]) => {
    const operation = category.bound.find((one) => one.name === name);
    if (operation) return operationProblems(operation, implementation);
    const names = category.bound.map((one) => one.name);
    const meant = didYouMean(name, names) || `; operations: ${names.join(", ")}`;
    return [{ field: name, message: `${id} has no such operation${meant}` }];
  });
}

const MADE_WITH = { list: "list", one: "one", create: "one", update: "one", upload: "upload" } as const;

function operationProblems({ name, kind }: BoundOperation, implementation: unknown): FieldProblem[] {
  const problems = shapes.operation[kind](implementation, name);
  const { request, load } = (implementation ?? {}) as { request?: unknown; load?: unknown };
  if (MADE_WITH[kind as never] === "one" && problems.length === 0 && (request === undefined) === (load === undefined))
    problems.push({ field: name, message: "must have either request or load" });
  const helper = MADE_WITH[kind as keyof typeof MADE_WITH];
  const reason = `, because the operation's kind is "${kind}"${helper ? `: see ${helper}() of the kit` : ""}`;
  return problems.map(({ field, message }) => ({ field, message: message + reason }));
}

export function emulatorProblems(exported: unknown, manifest: Manifest | undefined): FieldProblem[] {
  const problems = shapes.emulator(exported, "");
  const { changes, settings = {} } = (exported ?? {}) as { changes?: object; settings?: object };
  for (const name of settingsIn(manifest?.addresses.api ?? ""))
    if (!(name in settings))
      problems.push({ field: `settings.${name}`, message: `is missing: addresses.api has {${name}}` });
  const lists = operations.filter(({ kind }) => kind === "list").map(({ id }) => id);
  for (const id of Object.keys(changes ?? {}))
    if (!lists.includes(id))
      problems.push({ field: `changes.${id}`, message: `is not the id of a list${didYouMean(id, lists)}` });
  return problems;
}

export const evidenceProblems = (exported: unknown): FieldProblem[] => shapes.evidence(exported, "");
