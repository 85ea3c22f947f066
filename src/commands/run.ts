import { ConfigError } from "../config/index.ts";
import { help } from "./help.ts";
import { UsageError } from "./usage.ts";

/** Each command is loaded on demand, so that the small ones start fast. Some return an exit code of their own. */
const commands: Record<string, () => Promise<{ run(args: string[]): Promise<number> | Promise<void> }>> = {
  start: () => import("./start.ts"),
  sandbox: () => import("./sandbox.ts"),
  dashboard: () => import("./dashboard.ts"),
  keys: () => import("./keys.ts"),
  audit: () => import("./audit.ts"),
  doctor: () => import("./doctor/index.ts"),
  apply: () => import("./apply/index.ts"),
  backup: () => import("./backup.ts"),
  restore: () => import("./restore.ts"),
  export: () => import("./export.ts"),
  import: () => import("./import.ts"),
  listen: () => import("./listen.ts"),
  providers: () => import("./providers.ts"),
  "new-provider": () => import("./new-provider.ts"),
  "test-provider": () => import("./test-provider.ts"),
  warm: () => import("./warm.ts"),
};

function print(text: string): number {
  console.log(text);
  return 0;
}

/** Returns the exit code. */
async function run([name, ...args]: string[]): Promise<number> {
  if (name === undefined || name === "help" || name === "--help" || name === "-h") return print(help);
  if (name === "--version" || name === "-v") {
    const { VERSION } = await import("../runtime/version.ts");
    return print(VERSION);
  }
  const load = commands[name];
  if (!load) throw new UsageError(`unknown command: ${name}`);
  if (args.includes("--help") || args.includes("-h")) return print(help);
  const command = await load();
  return (await command.run(args)) ?? 0;
}

/** Runs a command, and prints what went wrong. Returns the exit code: a command that serves goes on after that. */
export async function runCommandLine(args: string[]): Promise<number> {
  try {
    return await run(args);
  } catch (error) {
    if (error instanceof UsageError) {
      console.error(`plugboard: ${error.message}. See: plugboard --help`);
      return 2;
    }
    const lines = error instanceof ConfigError ? error.lines : [describeError(error)];
    for (const line of lines) console.error(`plugboard: ${line}`);
    return 1;
  }
}

/** An error and its causes in one line, which is more useful to an operator than a stack trace. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes = [error.message || (error as NodeJS.ErrnoException).code];
  for (let { cause } = error; cause instanceof Error; { cause } = cause)
    causes.push(cause.message || (cause as NodeJS.ErrnoException).code);
  return causes.filter(Boolean).join(": ").replaceAll("\n", " ");
}
