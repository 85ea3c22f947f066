import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { databaseFile, keyFile } from "../../open-store.ts";
import { sandboxFile } from "../../sandbox-workspace.ts";
import { type Check, type CheckContext, reasonOf } from "./context.ts";

/** https://man7.org/linux/man-pages/man2/statfs.2.html */
const NETWORK = new Map([
  [0x6969, "NFS"],
  [0x517b, "SMB"],
  [0xff534d42, "CIFS"],
  [0xfe534d42, "SMB"],
  [0x01021997, "9p"],
  [0x00c36400, "Ceph"],
]);
const TEMPORARY = new Map([
  [0x01021994, "in memory (tmpfs)"],
  [0x858458f6, "in memory (ramfs)"],
  [0x794c7630, "in the container itself (overlayfs)"],
]);
const MB = 1024 * 1024;
const FULL_MB = 64;
const LOW_MB = 1024;
const MIN_OPEN_FILES = 4_096;

/** The folder, or the nearest one above it that exists. */
function existing(folder: string): string {
  return existsSync(folder) || folder === dirname(folder) ? folder : existing(dirname(folder));
}

/** Why this user cannot use it; undefined if they can. */
function refusal(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  }
}

export const dataFolder: Check = {
  name: "data folder",
  async run(context) {
    const { config, known } = context;
    if (config.databaseUrl && !config.sandbox) return "everything is in Postgres";
    const folder = resolve(config.dataDir);
    const found = existing(folder);
    const fix = "Give the folder and its files to the user of the service (chown), or set DATA_DIR to another one.";
    const report = (problem: string) => {
      known.isFolderUnusable = true;
      context.report("data-dir-unusable", `DATA_DIR: ${problem}`, fix);
    };
    if (!statSync(found).isDirectory()) report(`${found} is not a folder`);
    else {
      const refused = refusal(found, constants.R_OK | constants.W_OK | constants.X_OK);
      if (refused) report(`this user cannot write to ${found}: ${refused}`);
    }
    if (known.isFolderUnusable) return undefined;
    checkFiles(context, folder, report);
    if (!config.databaseUrl) checkFileSystem(context, found);
    return undefined;
  },
};

function checkFiles({ report }: CheckContext, folder: string, reportUnusable: (problem: string) => void): void {
  const both = constants.R_OK | constants.W_OK;
  const files: [string, number][] = [
    [keyFile(folder), constants.R_OK],
    [databaseFile(folder), both],
    [sandboxFile(folder), both],
  ];
  for (const [file, mode] of files) {
    const stats = statSync(file, { throwIfNoEntry: false });
    if (!stats) continue;
    if (stats.mode & 0o077)
      report("file-exposed", `Other users of this machine can read ${file}`, `Make it private: chmod 600 ${file}`);
    const refused = refusal(file, mode);
    if (refused) reportUnusable(`this user cannot use ${file}: ${refused}`);
  }
}

function checkFileSystem({ report, machine }: CheckContext, folder: string): void {
  const { type, freeBytes } = machine.fileSystem(folder);
  const network = NETWORK.get(type);
  if (network)
    report(
      "data-dir-network",
      `DATA_DIR: ${folder} is on a network file system (${network}), on which SQLite cannot lock its files safely`,
      "Set DATA_DIR to a folder on a local disk, or use Postgres: DATABASE_URL.",
    );
  const temporary = TEMPORARY.get(type);
  if (temporary)
    report(
      "data-dir-temporary",
      `DATA_DIR: ${folder} is ${temporary}: connections and the key are lost with it`,
      "Mount a volume at DATA_DIR, or use Postgres: DATABASE_URL.",
    );
  const free = Math.floor(freeBytes / MB);
  if (free < LOW_MB)
    report(
      free < FULL_MB ? "disk-full" : "disk-low",
      `DATA_DIR: ${free} MB are free in ${folder}`,
      "Free some space, or move DATA_DIR to a larger disk: without space nothing can be stored, not even refreshed tokens.",
    );
}

export const openFiles: Check = {
  name: "limit of open files",
  async run({ machine, report }) {
    const limit = machine.maxOpenFiles();
    if (limit === undefined) return "the system does not say";
    if (limit < MIN_OPEN_FILES)
      report(
        "open-files-low",
        `This user may have ${limit} files and connections open: each Proxy call needs two`,
        "Raise the limit to 65536: ulimit -n, LimitNOFILE of systemd, or --ulimit of docker run.",
      );
    return undefined;
  },
};
