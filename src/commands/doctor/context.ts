import { lookup } from "node:dns/promises";
import { existsSync, readFileSync, statfsSync } from "node:fs";
import type { Environment } from "../../config/environment.ts";
import type { Config } from "../../config/index.ts";
import type { Resolve } from "../../engine/http/resolver.ts";
import type { StoredState } from "../../store/inspect.ts";
import type { Keyring } from "../../store/secrets/vault.ts";
import type { FindingId } from "./findings.ts";

/** What is the machine's and not the configuration's. Tests replace parts of it. */
export interface Machine {
  now(): number;
  resolve: Resolve;
  /** The type of the file system of a folder, and what is free in it. */
  fileSystem(folder: string): { type: number; freeBytes: number };
  /** Whether nobody else uses it. */
  isContainer: boolean;
  /** The limit of open files; undefined if the system does not say. */
  maxOpenFiles(): number | undefined;
}

export const thisMachine: Machine = {
  now: Date.now,
  resolve: lookup,
  fileSystem(folder) {
    const { type, bavail, bsize } = statfsSync(folder);
    return { type, freeBytes: bavail * bsize };
  },
  isContainer: ["/.dockerenv", "/run/.containerenv", "/var/run/secrets/kubernetes.io"].some((file) => existsSync(file)),
  maxOpenFiles() {
    if (process.platform !== "linux") return undefined;
    return Number(/^Max open files\s+(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1]) || undefined;
  },
};

export interface CheckContext {
  env: Environment;
  config: Config;
  machine: Machine;
  report(id: FindingId, problem: string, fix: string): void;
  /** What earlier checks have learned. */
  known: {
    /** Ids of those that all workspaces can use. */
    providers?: string[];
    keyring?: Keyring;
    stored?: StoredState;
    isRunning?: boolean;
    /** Then neither the key nor the database can be read there. */
    isFolderUnusable?: boolean;
  };
}

/** One row of what was checked. */
export interface Check {
  name: string;
  /** Returns why nothing could be checked. */
  run(context: CheckContext): Promise<string | undefined>;
}

export const FOLDER_UNUSABLE = "the data folder cannot be used";

/** How long one call of a check may take. */
export const CALL_TIMEOUT_MS = 5_000;

/** Rejects if it takes too long. */
export function inTime<Result>(work: Promise<Result>, milliseconds = CALL_TIMEOUT_MS): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new Error(`no answer within ${milliseconds / 1000} s`)), milliseconds);
  return Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

/** Why something failed, in a word: a message may quote what was sent. */
export const reasonOf = (error: unknown): string => {
  const { code, message } = error as { code?: unknown; message: string };
  return typeof code === "string" ? code : message;
};

const MAX_CLOCK_DIFFERENCE_MS = 5_000;

/** `theirs` was read when this machine's clock was at `ours`. */
export function compareClocks({ report }: CheckContext, whose: string, theirs: number, ours: number): void {
  const difference = ours - theirs;
  if (Math.abs(difference) <= MAX_CLOCK_DIFFERENCE_MS) return;
  const seconds = Math.round(Math.abs(difference) / 1000);
  report(
    "clock-differs",
    `The clock of this machine is ${seconds} s ${difference > 0 ? "ahead of" : "behind"} that of ${whose}`,
    "Synchronize the clocks of all machines (NTP): tokens are refreshed and links expire by them.",
  );
}

const MAX_NAMED = 5;

/** `a, b and 3 more` */
export function someOf(names: readonly string[]): string {
  const shown = names.slice(0, MAX_NAMED).join(", ");
  return names.length > MAX_NAMED ? `${shown} and ${names.length - MAX_NAMED} more` : shown;
}
