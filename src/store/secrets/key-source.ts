import { execSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { type KeySource, keyId } from "./vault.ts";

const KEY_BYTES = 32;
const COMMAND_TIMEOUT_MS = 30_000;
const MAX_COMMAND_OUTPUT = 64 * 1024;

/** Keys from a setting: base64, separated by commas or line ends, the current one first. `name` is for errors. */
export function keysFromText(text: string, name = "ENCRYPTION_KEY"): KeySource {
  const keys = text
    .trim()
    .split(/,|\r?\n/)
    .map((key) => parseKey(key, `${name} must be`));
  return { read: () => keys };
}

/** Keys that a command prints, in the same form. It is run once; what it says on its error output is shown. */
export function keysFromCommand(command: string): KeySource {
  let text: string;
  try {
    text = execSync(command, {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "inherit"],
      timeout: COMMAND_TIMEOUT_MS,
      maxBuffer: MAX_COMMAND_OUTPUT,
    });
  } catch (error) {
    // Its message has the command, which may contain a secret.
    const { status, signal, code } = error as { status?: number | null; signal?: string | null; code?: string };
    const end = status === null || status === undefined ? (signal ?? code) : `status ${status}`;
    throw new Error(`the command ended with ${end}, and not with a key`);
  }
  return keysFromText(text, "what the command prints");
}

/** Keys from a file: one base64 key per line, the current one first. Creates the file if there is none. */
export function keysFromFile(file: string): KeySource {
  if (!existsSync(file)) createKeyFile(file);
  return {
    read: () => readKeyFile(file),
    version() {
      const { ino, mtimeMs, size } = statSync(file);
      return `${ino} ${mtimeMs} ${size}`;
    },
  };
}

/**
 * Adds a new key in front of the others, which are still needed for decryption. Returns the new key's id. The temporary
 * file is also a lock: of two concurrent rotations, one would lose its key.
 */
export function rotateKeyFile(file: string): string {
  const keys = [randomBytes(KEY_BYTES), ...readKeyFile(file)];
  const next = `${file}.new`;
  try {
    writeDurably(next, keys);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(
      `Another rotation of ${file} is in progress. If you are sure that none is running, delete ${next} and try again`,
    );
  }
  renameSync(next, file);
  syncDirectory(file);
  return keyId(keys[0]!);
}

const readKeyFile = (file: string): Buffer[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseKey(line, `Every line of ${file} must be`));

function parseKey(text: string, requirement: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  const isBase64 = key.toString("base64").replaceAll("=", "") === text.trim().replaceAll("=", "");
  if (key.length !== KEY_BYTES || !isBase64) throw new Error(`${requirement} ${KEY_BYTES} bytes in base64`);
  return key;
}

/** Processes that start at the same time must agree on one key: creating a link is atomic, and only one succeeds. */
function createKeyFile(file: string): void {
  mkdirSync(dirname(file), { recursive: true });
  const draft = `${file}.${process.pid}.${randomBytes(4).toString("hex")}`;
  writeDurably(draft, [randomBytes(KEY_BYTES)]);
  try {
    linkSync(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    unlinkSync(draft);
  }
  syncDirectory(file);
}

function writeDurably(file: string, keys: Buffer[]): void {
  const handle = openSync(file, "wx", 0o600);
  try {
    writeSync(handle, keys.map((key) => `${key.toString("base64")}\n`).join(""));
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** Makes sure that a new or renamed file is still there after a power failure. */
export function syncDirectory(file: string): void {
  const handle = openSync(dirname(file), "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
