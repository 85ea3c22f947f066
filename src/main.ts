import { help } from "./commands/help.ts";
import { UsageError } from "./commands/usage.ts";
import { ConfigError } from "./config.ts";

/** Each command is loaded on demand, so that the small ones start fast. */
const commands: Record<string, () => Promise<{ run(args: string[]): Promise<void> }>> = {
  start: () => import("./commands/start.ts"),
  sandbox: () => import("./commands/sandbox.ts"),
  dashboard: () => import("./commands/dashboard.ts"),
  keys: () => import("./commands/keys.ts"),
  audit: () => import("./commands/audit.ts"),
  backup: () => import("./commands/backup.ts"),
  restore: () => import("./commands/restore.ts"),
  export: () => import("./commands/export.ts"),
  import: () => import("./commands/import.ts"),
  listen: () => import("./commands/listen.ts"),
  providers: () => import("./commands/providers.ts"),
  "new-provider": () => import("./commands/new-provider.ts"),
  "test-provider": () => import("./commands/test-provider.ts"),
  warm: () => import("./commands/warm.ts"),
};

async function main([name, ...args]: string[]): Promise<void> {
  if (name === undefined || name === "help" || name === "--help" || name === "-h") return console.log(help);
  if (name === "--version" || name === "-v") {
    const { VERSION } = await import("./runtime/version.ts");
    return console.log(VERSION);
  }
  const load = commands[name];
  if (!load) throw new UsageError(`unknown command: ${name}`);
  if (args.includes("--help") || args.includes("-h")) return console.log(help);
  const command = await load();
  await command.run(args);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (error instanceof UsageError) {
    console.error(`plugboard: ${error.message}. See: plugboard --help`);
    process.exit(2);
  }
  if (error instanceof ConfigError) {
    for (const line of error.lines) console.error(`plugboard: ${line}`);
    process.exit(1);
  }
  console.error(`plugboard: ${describeError(error)}`);
  process.exit(1);
});

/** An error and its causes in one line, which is more useful to an operator than a stack trace. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const causes = [error.message || (error as NodeJS.ErrnoException).code];
  for (let { cause } = error; cause instanceof Error; { cause } = cause)
    causes.push(cause.message || (cause as NodeJS.ErrnoException).code);
  return causes.filter(Boolean).join(": ").replaceAll("\n", " ");
}
