import { existsSync } from "node:fs";
import { ConfigError } from "../../config/index.ts";
import { databaseFile, givenKeys, keyFile, requireKeyFile } from "../../open-store.ts";
import { keysFromFile } from "../../store/secrets/key-source.ts";
import { createKeyring } from "../../store/secrets/vault.ts";
import { type Check, type CheckContext, FOLDER_UNUSABLE } from "./context.ts";

const SLOW_COMMAND_MS = 5_000;

/** The keys, read without creating any. Whether they are the database's is checked there. */
export const encryptionKey: Check = {
  name: "encryption key",
  async run(context) {
    const { config, known } = context;
    const given = readGivenKeys(context);
    if (given) known.keyring = createKeyring(given);
    else if (!config.encryptionKeyCommand) return readKeyFile(context);
    return undefined;
  },
};

function readGivenKeys({ config, report, machine }: CheckContext) {
  const start = machine.now();
  try {
    const keys = givenKeys(config);
    const duration = machine.now() - start;
    if (duration > SLOW_COMMAND_MS)
      report(
        "key-command-slow",
        `ENCRYPTION_KEY_COMMAND took ${Math.round(duration / 1000)} s, and each start of a process waits for it`,
        "Make the command faster; after 30 s it is ended, and the process does not start.",
      );
    return keys;
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    report(
      "key-command-failed",
      error.message,
      "Run the command in a shell as the user of the service, and correct what it needs: files, rights, or access to the key management service.",
    );
    return undefined;
  }
}

function readKeyFile({ config, report, known }: CheckContext): string | undefined {
  if (known.isFolderUnusable) return FOLDER_UNUSABLE;
  const file = keyFile(config.dataDir);
  try {
    requireKeyFile(config.dataDir, databaseFile(config.dataDir));
  } catch (error) {
    report(
      "key-missing",
      (error as Error).message.split(". ", 1)[0]!,
      "Put the key file back from its backup, or set ENCRYPTION_KEY if the key was given there. Without the key every stored credential is lost.",
    );
    return undefined;
  }
  if (!existsSync(file)) return "there is none yet: the first start creates it";
  try {
    known.keyring = createKeyring(keysFromFile(file));
  } catch (error) {
    report("key-invalid", (error as Error).message, `Put the content of ${file} back from its backup.`);
  }
  return undefined;
}
