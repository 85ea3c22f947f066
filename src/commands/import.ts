import { commandEntry } from "../command-entry.ts";
import type { Config } from "../config/index.ts";
import type { AnyIterable, MovedResult, MovedRows, WriteOptions } from "../contracts/moving.ts";
import type { Store } from "../contracts/store.ts";
import { readExport } from "../moving/export-file.ts";
import { UnreadableFile } from "../moving/sealed-stream.ts";
import { readPassphrase } from "./passphrase.ts";
import { table } from "./table.ts";
import { readArgs, UsageError } from "./usage.ts";
import { type StoreContext, withStore } from "./with-store.ts";

interface Import {
  rows: AnyIterable<MovedRows>;
  different: WriteOptions["different"];
  /** What is left out, and why. */
  notes: string[];
}

/** Brings what was exported, or what another product has, into the store: everything or nothing. */
export async function run(args: string[]): Promise<void> {
  const { positionals, values } = readArgs({
    args,
    options: {
      "dry-run": { type: "boolean", default: false },
      from: { type: "string" },
      workspace: { type: "string" },
      url: { type: "string" },
      database: { type: "string" },
      environment: { type: "string" },
      "keep-ids": { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  const { from, "dry-run": dryRun, ...options } = values;
  if (others.length > 0 || (file === undefined) === (from === undefined))
    throw new UsageError("import needs the name of one export, or --from nango");
  if (from !== undefined && from !== "nango") throw new UsageError(`--from must be nango, not ${from}`);
  if (file !== undefined && (Object.keys(options).length > 1 || options["keep-ids"]))
    throw new UsageError("only --dry-run can be given with an export");

  const work = async ({ store, config }: StoreContext) => {
    const { rows, different, notes }: Import =
      file === undefined
        ? await (await import("./import-nango.ts")).readNango(config, store, options)
        : { rows: await readFile(file, config, store), different: "refuse", notes: [] };
    const entry = (id: string) => commandEntry("import", id, { action: "workspace.import", id });
    const result = await store.moving.write(rows, { dryRun, different, entry }).catch((error: unknown) => {
      throw error instanceof UnreadableFile ? cannotRead(file!, error) : error;
    });
    return { result, notes };
  };
  // What Nango has goes to a workspace that exists.
  const { result, notes } = await withStore(work, { create: from === undefined });
  print(result, dryRun);
  for (const note of notes) console.log(note);
  if (result.conflicts.length > 0)
    throw new Error(`nothing ${dryRun ? "would be" : "was"} imported: ${result.conflicts.join("; ")}`);
}

async function readFile(file: string, config: Config, store: Store): Promise<AsyncIterable<MovedRows>> {
  const passphrase = await readPassphrase(config, { twice: false });
  const { header, rows } = await readExport(file, passphrase).catch((error: Error) => {
    throw cannotRead(file, error);
  });
  if (header.schema > store.moving.schemaVersion)
    throw new Error(`${file} was made by Plugboard ${header.version}, which is newer: import it with that version`);
  return rows;
}

const cannotRead = (file: string, { message }: Error) => new Error(`${file} cannot be read: ${message}`);

function print({ counts, conflicts }: MovedResult, dryRun: boolean): void {
  const isWritten = !dryRun && conflicts.length === 0;
  const rows = [...counts].map(([name, count]) => [
    name.replaceAll("_", " "),
    ...[count.new, count.same, count.different].map(String),
  ]);
  console.log(table([isWritten ? "IMPORTED" : "WOULD BE IMPORTED", "NEW", "SAME", "DIFFERENT"], rows));
}
