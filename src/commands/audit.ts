import type { AuditEntry } from "../contracts/audit.ts";
import type { Workspace } from "../contracts/entities.ts";
import type { Store } from "../contracts/store.ts";
import { table } from "./table.ts";
import { readArgs, UsageError } from "./usage.ts";
import { withStore } from "./with-store.ts";

const actions: Record<string, (args: string[]) => Promise<void>> = { list, verify };
const LISTED = 100;
/** What concerns no workspace. */
const INSTALLATION = { id: null, name: "(installation)" };

export async function run([name = "", ...args]: string[]): Promise<void> {
  const action = actions[name];
  if (!action) throw new UsageError(`audit needs one of ${Object.keys(actions).join(", ")}`);
  await action(args);
}

type Chain = Pick<Workspace, "name"> & { id: string | null };

const withChains = <Result>(
  name: string | undefined,
  work: (store: Store, chains: Chain[]) => Promise<Result>,
): Promise<Result> =>
  withStore(async ({ store }) => {
    const all = await store.workspaces.list();
    const chains = name === undefined ? [...all, INSTALLATION] : all.filter((workspace) => workspace.name === name);
    if (chains.length === 0) throw new Error(`there is no workspace "${name}"`);
    return work(store, chains);
  });

/** Prints the newest entries. */
async function list(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { workspace: { type: "string" }, json: { type: "boolean" } } });
  const found = await withChains(values.workspace, async (store, chains) => {
    const lists = chains.map(async ({ id, name }) =>
      (await store.audit.list(id, { limit: LISTED }, {})).map((entry) => ({ ...entry, workspace: name })),
    );
    return (await Promise.all(lists)).flat().sort((one, other) => (one.at < other.at ? 1 : -1));
  });
  if (values.json) return console.log(JSON.stringify(found, null, 2));
  if (found.length === 0) return console.log("The audit log is empty.");
  const actorOf = ({ actor }: AuditEntry) => [actor.kind, actor.name ?? actor.id].filter(Boolean).join(" ");
  console.log(
    table(
      ["AT", "WORKSPACE", "WHO", "ACTION", "TARGET", "OUTCOME"],
      found.map((entry) => [
        entry.at,
        entry.workspace,
        actorOf(entry),
        entry.action,
        entry.target.id ?? "",
        entry.outcome,
      ]),
    ),
  );
}

/** Checks the chains of hashes. */
async function verify(args: string[]): Promise<void> {
  const { values } = readArgs({ args, options: { workspace: { type: "string" } } });
  const isIntact = await withChains(values.workspace, async (store, chains) => {
    let isIntact = true;
    for (const { id, name } of chains) {
      const { entries, problems } = await store.audit.verify(id);
      console.log(`${name}: ${entries} entries, ${problems.length === 0 ? "intact" : `${problems.length} problems`}`);
      for (const { position, id: entry, problem } of problems)
        console.log(`  entry ${position}${entry ? ` (${entry})` : ""}: ${problem}`);
      isIntact &&= problems.length === 0;
    }
    return isIntact;
  });
  if (!isIntact) throw new Error("the audit log was changed by something other than Plugboard");
}
