import type { Environment } from "../../config/environment.ts";
import { VERSION } from "../../runtime/version.ts";
import { readArgs } from "../usage.ts";
import { publicAddresses } from "./addresses.ts";
import { type Check, type CheckContext, inTime, type Machine, reasonOf, thisMachine } from "./context.ts";
import { dataFolder, openFiles } from "./data-folder.ts";
import { database } from "./database.ts";
import { encryptionKey } from "./encryption-key.ts";
import { catalogue, type Finding } from "./findings.ts";
import { identityProvider, outboundProxy, telemetry } from "./outbound.ts";
import { redis } from "./redis.ts";
import { runningService } from "./running-service.ts";
import { createHiding } from "./secrets.ts";
import { checkSettings, providers } from "./settings.ts";
import { connections, integrations, webhooks } from "./workspaces.ts";

/** One after the other: some use what earlier ones have learned, and a command for the key blocks the process. */
const checks: Check[] = [
  openFiles,
  dataFolder,
  providers,
  encryptionKey,
  database,
  redis,
  runningService,
  publicAddresses,
  outboundProxy,
  identityProvider,
  telemetry,
  webhooks,
  connections,
  integrations,
];

/** More than any check needs. */
const CHECK_TIMEOUT_MS = 60_000;

export interface Report {
  version: string;
  /** Whether there is no error; there may be warnings. */
  healthy: boolean;
  findings: Finding[];
  /** Undefined `skipped`: it was checked. */
  checks: { name: string; skipped?: string }[];
}

export interface DoctorOptions {
  machine?: Machine;
  /** Called before each check. */
  progress?(name: string): void;
}

/** Checks the installation of an environment, and changes nothing. */
export async function examine(env: Environment, options: DoctorOptions = {}): Promise<Report> {
  const { machine = thisMachine, progress } = options;
  const hide = createHiding(env);
  const findings: Finding[] = [];
  const report: CheckContext["report"] = (id, problem, fix) =>
    void findings.push({ id, severity: catalogue[id][0], problem: hide(problem), fix: hide(fix) });

  progress?.("settings");
  const config = checkSettings({ env, machine, report });
  const rows: Report["checks"] = [{ name: "settings" }];
  const known: CheckContext["known"] = {};
  for (const { name, run } of checks) {
    if (!config) {
      rows.push({ name, skipped: "the settings are not valid" });
      continue;
    }
    progress?.(name);
    try {
      const skipped = await inTime(run({ env, config, machine, report, known }), CHECK_TIMEOUT_MS);
      rows.push({ name, ...(skipped ? { skipped: hide(skipped) } : {}) });
    } catch (error) {
      report(
        "check-unfinished",
        `The check of ${name} did not end: ${reasonOf(error)}`,
        "Run the command again. If it stays so, please report it with this line.",
      );
      rows.push({ name, skipped: "it did not end" });
    }
  }
  return { version: VERSION, healthy: findings.every(({ severity }) => severity !== "error"), findings, checks: rows };
}

/** Errors first. Each finding has a line about the problem and one about what to do. */
export function describe({ findings, checks: rows }: Report): string {
  const lines = findings
    .toSorted((one, other) => one.severity.localeCompare(other.severity))
    .flatMap(({ id, severity, problem, fix }) => [
      `${severity.toUpperCase()} ${id}: ${problem.replaceAll("\n", " ")}`,
      `  Do this: ${fix}`,
      "",
    ]);
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const skipped = rows.filter((row) => row.skipped !== undefined);
  return [
    ...lines,
    findings.length === 0
      ? "Nothing found."
      : `${count(errors, "error")}, ${count(findings.length - errors, "warning")}.`,
    `Checked: ${rows.flatMap(({ name, skipped: reason }) => (reason === undefined ? name : [])).join(", ")}`,
    ...(skipped.length > 0
      ? [`Not checked: ${skipped.map(({ name, skipped: why }) => `${name} (${why})`).join(", ")}`]
      : []),
  ].join("\n");
}

/** Finds what is misconfigured, and says what to do. Returns the exit code. */
export async function run(args: string[]): Promise<number> {
  const { values } = readArgs({ args, options: { json: { type: "boolean" } } });
  const isShown = process.stderr.isTTY && !values.json;
  const progress = (name: string) => void (isShown && process.stderr.write(`\r\x1b[KChecking ${name} …`));
  const report = await examine(process.env, { progress });
  if (isShown) process.stderr.write("\r\x1b[K");
  console.log(values.json ? JSON.stringify(report, null, 2) : describe(report));
  return report.healthy ? 0 : 1;
}
