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

/** Keys as the environment gives them: base64, separated by commas, the current one first. `name` is for messages. */
export function keysFromText(text: string, name = "ENCRYPTION_KEY"): KeySource {
  const keys = text.split(",").map((key) => parseKey(key, `${name} must be`));
  return { read: () => keys };
}

/** Keys in a file, one base64 key a line, the current one first. The file is made where there is none. */
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
 * Puts a new key first and keeps the others, so that what they encrypted can still be read. Returns the new key's id.
 * The file under way doubles as a lock: two rotations at once would lose one's key.
 */
export function rotateKeyFile(file: string): string {
  const keys = [randomBytes(KEY_BYTES), ...readKeyFile(file)];
  const next = `${file}.new`;
  try {
    writeDurably(next, keys);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    throw new Error(`Another rotation of ${file} is under way. If that cannot be, delete ${next} and try again`);
  }
  renameSync(next, file);
  syncFolder(file);
  return keyId(keys[0]!);
}

const readKeyFile = (file: string): Buffer[] =>
  readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => parseKey(line, `Every line of ${file} must be`));

function parseKey(text: string, complaint: string): Buffer {
  const key = Buffer.from(text.trim(), "base64");
  const same = key.toString("base64").replaceAll("=", "") === text.trim().replaceAll("=", "");
  if (key.length !== KEY_BYTES || !same) throw new Error(`${complaint} ${KEY_BYTES} bytes in base64`);
  return key;
}

/** Processes that start at once must agree on one key: a link is made whole or not at all, and only once. */
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
  syncFolder(file);
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

function syncFolder(file: string): void {
  const handle = openSync(dirname(file), "r");
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
