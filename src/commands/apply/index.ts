import { once } from "node:events";
import { createInterface } from "node:readline/promises";
import { readArgs, UsageError } from "../usage.ts";
import { withAccess } from "./access.ts";
import { carryOut, StepFailed } from "./carry-out.ts";
import { allSections, exportFile } from "./export.ts";
import { makePlan, sectionsOf } from "./plan.ts";
import { createPlatformApi, type PlatformApi } from "./platform.ts";
import { describeDone, describeFailure, describePlan, describeProblems, planAsJson, printable } from "./print.ts";
import { type ConfigFile, InvalidFile, readConfigFile } from "./read-file.ts";
import type { Plan } from "./steps.ts";
import { readWorkspace } from "./workspace.ts";

/** There is something to do, and nobody has agreed. 2 is an invalid command line. */
const PENDING = 3;

export interface Terminal {
  env: NodeJS.ProcessEnv;
  print(text: string): void;
  printError(text: string): void;
  /** Undefined if nobody can be asked. */
  ask?: ((question: string) => Promise<string>) | undefined;
}

export async function run(args: string[]): Promise<number> {
  const isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  return apply(args, {
    env: process.env,
    print: console.log,
    printError: console.error,
    ask: isTerminal ? askInTerminal : undefined,
  });
}

async function askInTerminal(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  try {
    // Ctrl+C and Ctrl+D are answers too.
    const closed = once(lines, "close").then(() => "");
    return await Promise.race([lines.question(question).catch(() => ""), closed]);
  } finally {
    lines.close();
  }
}

/** Makes a workspace what a file says, or writes such a file. Returns the exit code. */
export async function apply(args: string[], terminal: Terminal): Promise<number> {
  const { values } = readArgs({
    args,
    options: {
      file: { type: "string", short: "f" },
      prune: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      export: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      url: { type: "string" },
      "key-file": { type: "string" },
      workspace: { type: "string" },
    },
  });
  if (values.export) {
    if (values.file || values.prune || values.yes || values.json)
      throw new UsageError("--export prints a file: it takes no -f, --prune, --yes or --json");
    return withAccess(values, terminal.env, async ({ url, key }) => {
      terminal.print(exportFile(await readWorkspace(createPlatformApi(url, key), allSections)).trimEnd());
      return 0;
    });
  }
  const { file: path } = values;
  if (path === undefined) throw new UsageError("apply needs -f FILE, or --export");
  try {
    const file = await readConfigFile(path, terminal.env);
    return await withAccess(values, terminal.env, ({ url, key }) =>
      applyFile(file, createPlatformApi(url, key), values, terminal),
    );
  } catch (error) {
    if (!(error instanceof InvalidFile)) throw error;
    for (const line of describeProblems(path, error)) terminal.printError(line);
    if (values.json) terminal.print(JSON.stringify({ problems: error.problems }, null, 2));
    return 1;
  }
}

async function applyFile(
  file: ConfigFile,
  api: PlatformApi,
  { prune, yes, json }: { prune: boolean; yes: boolean; json: boolean },
  terminal: Terminal,
): Promise<number> {
  await api.assertDryRuns();
  const { name } = await api.get("/v1/workspace");
  const plan = await makePlan(file, await readWorkspace(api, sectionsOf(file)), api, { prune });
  const finish = (result: { applied: boolean; error?: string }, code: number): number => {
    if (json) terminal.print(JSON.stringify({ workspace: name, ...planAsJson(plan), ...result }, null, 2));
    return code;
  };
  const say = json ? () => {} : terminal.print;
  say(`The workspace ${printable(JSON.stringify(name))} at ${api.url}\n\n${describePlan(plan)}`);
  if (plan.steps.length === 0) return finish({ applied: true }, 0);
  if (!yes && !(await isAgreed(json ? undefined : terminal.ask))) {
    say("Nothing was changed. To make these changes: --yes");
    return finish({ applied: false }, PENDING);
  }
  say("");
  return carry(plan, api, { say, finish, printError: terminal.printError });
}

const isAgreed = async (ask: Terminal["ask"]): Promise<boolean> =>
  ask !== undefined && (await ask("\nMake these changes? Type yes: ")).trim() === "yes";

async function carry(
  plan: Plan,
  api: PlatformApi,
  {
    say,
    finish,
    printError,
  }: {
    say(text: string): void;
    finish(result: { applied: boolean; error?: string }, code: number): number;
    printError(text: string): void;
  },
): Promise<number> {
  try {
    await carryOut(plan, api, (step) => say(describeDone(step)));
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    const lines = describeFailure(error);
    for (const line of lines) printError(line);
    return finish({ applied: false, error: lines[0]! }, 1);
  }
  if (plan.steps.some(({ action, kind }) => action === "create" && kind.section === "webhooks"))
    say("The secret of a new webhook is in the dashboard, and at GET /platform/v1/webhooks/{id}/secret.");
  return finish({ applied: true }, 0);
}
