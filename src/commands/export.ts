import { commandEntry } from "../command-entry.ts";
import { readConfig } from "../config/index.ts";
import type { Workspace } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { writeExport } from "../moving/export-file.ts";
import { VERSION } from "../runtime/version.ts";
import { SANDBOX_WORKSPACE } from "../sandbox-workspace.ts";
import { readPassphrase } from "./passphrase.ts";
import { table } from "./table.ts";
import { readArgs, UsageError } from "./usage.ts";
import { findWorkspaces, withStore } from "./with-store.ts";

/** Writes everything that belongs to workspaces to a file that is sealed with a passphrase. */
export async function run(args: string[]): Promise<void> {
  const { positionals, values } = readArgs({
    args,
    options: { workspace: { type: "string", multiple: true } },
    allowPositionals: true,
  });
  const [file, ...others] = positionals;
  if (!file || others.length > 0) throw new UsageError("export needs the name of one new file");
  const passphrase = await readPassphrase(readConfig(process.env), { twice: true });
  const counts = new Map<string, number>();
  const skipped = await withStore(async ({ store }) => {
    const { chosen, skipped } = await chooseWorkspaces(store, values.workspace);
    // First, so that there is no export without its entry.
    for (const { id } of chosen)
      await store.audit.append(commandEntry("export", id, { action: "workspace.export", id }));
    const header = { schema: store.moving.schemaVersion, version: VERSION, exported_at: new Date().toISOString() };
    const ids = chosen.map(({ id }) => id);
    await writeExport(file, passphrase, header, (write) =>
      store.moving.read(ids, async (read) => {
        counts.set(read.table, (counts.get(read.table) ?? 0) + read.rows.length);
        await write(read);
      }),
    );
    return skipped;
  });
  console.log(
    table(
      ["EXPORTED", "ROWS"],
      [...counts].map(([name, count]) => [name.replaceAll("_", " "), String(count)]),
    ),
  );
  if (skipped)
    console.log(
      `\nThe workspace "${SANDBOX_WORKSPACE}" is not in it: every start makes one. To export it: --workspace ${SANDBOX_WORKSPACE}`,
    );
}

async function chooseWorkspaces(store: Store, names: string[] | undefined) {
  if (names) {
    const found = await Promise.all(names.map((name) => findWorkspaces(store, name)));
    return { chosen: found.flat(), skipped: false };
  }
  const isSandbox = ({ name }: Workspace) => name === SANDBOX_WORKSPACE;
  const all = await store.workspaces.list();
  return { chosen: all.filter((workspace) => !isSandbox(workspace)), skipped: all.some(isSandbox) };
}
