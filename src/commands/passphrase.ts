import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { type Config, ConfigError } from "../config/index.ts";
import { isPassphrase, movingVariables } from "../config/moving.ts";

const REQUIREMENT = movingVariables.EXPORT_PASSPHRASE.expected;

/** The passphrase of an export: from the environment, or from the terminal, which does not show it. */
export async function readPassphrase(config: Config, { twice }: { twice: boolean }): Promise<string> {
  if (config.exportPassphrase !== undefined) return config.exportPassphrase;
  if (!process.stdin.isTTY)
    throw new ConfigError([`EXPORT_PASSPHRASE: required without a terminal; must be ${REQUIREMENT}`]);
  const passphrase = await ask("Passphrase: ");
  if (!isPassphrase(passphrase)) throw new Error(`the passphrase must be ${REQUIREMENT}`);
  if (twice && (await ask("Again: ")) !== passphrase) throw new Error("the passphrases differ");
  return passphrase;
}

async function ask(question: string): Promise<string> {
  // What is typed would be echoed here.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const terminal = createInterface({ input: process.stdin, output: nowhere, terminal: true });
  process.stderr.write(question);
  try {
    return (await terminal.question("")).trim();
  } finally {
    terminal.close();
    process.stderr.write("\n");
  }
}
