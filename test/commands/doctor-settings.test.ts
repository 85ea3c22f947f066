// Every misconfiguration of settings, folder and key that `plugboard doctor` finds, set up one by one.
import { randomBytes } from "node:crypto";
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import type { Machine } from "../../src/commands/doctor/context.ts";
import type { FindingId } from "../../src/commands/doctor/findings.ts";
import { expectFinding, findings, newInstallation, SECRET, type Settings } from "../support/doctor.ts";
import { newDataDir } from "../support/process.ts";

const folder = newDataDir();
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const { env: healthy, store } = await newInstallation();
await store.close();

let files = 0;
/** A new file with this content. */
function file(content: string, mode = 0o600): string {
  const path = join(folder, `file-${++files}`);
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
}
/** A copy of the data folder to change. */
function copy(): string {
  const path = join(folder, `data-${++files}`);
  cpSync(healthy.DATA_DIR!, path, { recursive: true });
  return path;
}
const newKey = () => randomBytes(32).toString("base64");
/** All public addresses, at which nothing listens. */
const publicAddresses = Object.fromEntries(
  ["unified", "platform", "auth", "proxy", "mcp", "dashboard"].map((name) => [
    `${name.toUpperCase()}_URL`,
    `https://plugboard.test:1/${name}`,
  ]),
);

it("nothing is found with healthy settings, or before the first start", async () => {
  expect(await findings(healthy)).toEqual([]);
  expect(await findings({ ...healthy, ...publicAddresses })).toEqual([]);
  expect(await findings({ DATA_DIR: join(folder, "none"), PORT: "0" })).toEqual([]);
});

describe("settings that are not valid", () => {
  const OIDC = { OIDC_ISSUER: "https://login.test", OIDC_CLIENT_ID: "a", OIDC_ROLES: "*=viewer@*" };
  const invalid: [string, Settings, RegExp][] = [
    ["a port that is no number", { PORT: "eighty" }, /^PORT: must be a whole number/],
    ["an unknown log level", { LOG_LEVEL: "loud" }, /^LOG_LEVEL: must be one of/],
    [
      "another kind of database",
      { DATABASE_URL: `mysql://root:${SECRET}@db/x`, ENCRYPTION_KEY: newKey() },
      /^DATABASE_URL: must be/,
    ],
    [
      "Postgres without a key",
      { DATABASE_URL: `postgres://u:${SECRET}@127.0.0.1/x` },
      /^ENCRYPTION_KEY: required with DATABASE_URL/,
    ],
    ["a key that is too short", { ENCRYPTION_KEY: SECRET }, /^ENCRYPTION_KEY: must be 32 bytes/],
    [
      "a key and a command for it",
      { ENCRYPTION_KEY: newKey(), ENCRYPTION_KEY_COMMAND: "false" },
      /^ENCRYPTION_KEY_COMMAND: must not be set together/,
    ],
    ["several workers on SQLite", { WORKERS: "4" }, /^WORKERS: must be 1, not 4, unless you set DATABASE_URL/],
    ["the sandbox for other machines", { SANDBOX: "on", HOST: "0.0.0.0" }, /^SANDBOX: must be off or public/],
    [
      "a secret and a file with it",
      { ...OIDC, OIDC_CLIENT_SECRET: SECRET, OIDC_CLIENT_SECRET_FILE: file(SECRET) },
      /^OIDC_CLIENT_SECRET_FILE: must not be set together/,
    ],
    [
      "a secret file that is missing",
      { ENCRYPTION_KEY_FILE: join(folder, "missing") },
      /^ENCRYPTION_KEY_FILE: cannot read the file .*ENOENT/,
    ],
    ["a secret file that is empty", { ENCRYPTION_KEY_FILE: file(" \n") }, /^ENCRYPTION_KEY_FILE: the file is empty/],
    ["half of OpenID Connect", { ...OIDC }, /^OIDC_CLIENT_SECRET: required with OIDC_ISSUER/],
    [
      "a public address with a password",
      { AUTH_URL: `https://user:${SECRET}@plugboard.test/auth` },
      /^AUTH_URL: must be a public address/,
    ],
    [
      "two APIs at one host",
      { AUTH_URL: "https://a.test", MCP_URL: "https://a.test/mcp" },
      /^AUTH_URL: must have a path or a host/,
    ],
    ["OTLP over gRPC", { OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" }, /^OTEL_EXPORTER_OTLP_PROTOCOL: must be http/],
    ["an address range that is none", { ALLOW_PRIVATE_UPSTREAMS: "10.0.0.0/33" }, /^ALLOW_PRIVATE_UPSTREAMS: must be/],
  ];
  it.each(invalid)("%s is found", async (_, settings, problem) => {
    await expectFinding({ ...healthy, ...settings }, "setting-invalid", problem);
  });
});

interface Case {
  title: string;
  id: FindingId;
  problem: RegExp;
  /** Made when the test runs. */
  settings?: () => Settings;
  machine?: Partial<Machine>;
}
const disk = (type: number, freeBytes = 1e12) => ({ fileSystem: () => ({ type, freeBytes }) });
const EXT4 = 0xef53;

const cases: Case[] = [
  {
    title: "a misspelled setting",
    id: "setting-misspelled",
    problem: /DATABSE_URL is unknown/,
    settings: () => ({ DATABSE_URL: `postgres://u:${SECRET}@db` }),
  },
  {
    title: "a secret file that everybody can read",
    id: "secret-file-exposed",
    problem: /^ENCRYPTION_KEY_FILE: every user/,
    settings: () => ({ DATA_DIR: join(folder, "new"), ENCRYPTION_KEY_FILE: file(newKey(), 0o644) }),
  },
  {
    title: "TLS without verification",
    id: "tls-verification-off",
    problem: /NODE_TLS_REJECT_UNAUTHORIZED=0/,
    settings: () => ({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }),
  },
  {
    title: "a file of certificates that is missing",
    id: "ca-file-unusable",
    problem: /missing\.pem is ignored by Node: ENOENT/,
    settings: () => ({ NODE_EXTRA_CA_CERTS: join(folder, "missing.pem") }),
  },
  {
    title: "a file of certificates without one",
    id: "ca-file-unusable",
    problem: /has no certificate in PEM format/,
    settings: () => ({ NODE_EXTRA_CA_CERTS: file("not a certificate") }),
  },
  {
    title: "a public sandbox",
    id: "sandbox-public",
    problem: /emulated providers need no key/,
    settings: () => ({ ...publicAddresses, HOST: "0.0.0.0", SANDBOX: "public" }),
  },
  {
    title: "all private addresses for everybody",
    id: "private-upstreams-open",
    problem: /ALLOW_PRIVATE_UPSTREAMS=true/,
    settings: () => ({ ...publicAddresses, ALLOW_PRIVATE_UPSTREAMS: "true" }),
  },
  {
    title: "public addresses that were forgotten",
    id: "address-missing",
    problem: /^UNIFIED_URL, PLATFORM_URL, PROXY_URL, MCP_URL, DASHBOARD_URL: not set/,
    settings: () => ({ AUTH_URL: "https://plugboard.test:1/auth" }),
  },
  {
    title: "no public address on a machine that serves others",
    id: "address-missing",
    problem: /^UNIFIED_URL, .* users are sent to http:\/\/127.0.0.1:0/,
    settings: () => ({ HOST: "0.0.0.0" }),
  },
  {
    title: "a provider of one's own that is not valid",
    id: "providers-invalid",
    problem: /^PROVIDERS_DIR: .*manifest\.js/,
    settings() {
      const PROVIDERS_DIR = join(folder, "providers");
      mkdirSync(join(PROVIDERS_DIR, "mine"), { recursive: true });
      writeFileSync(join(PROVIDERS_DIR, "mine", "manifest.js"), "export default 1;");
      return { PROVIDERS_DIR };
    },
  },
  {
    title: "a low limit of open files",
    id: "open-files-low",
    problem: /1024 files/,
    machine: { maxOpenFiles: () => 1024 },
  },
  {
    title: "a data folder that is a file",
    id: "data-dir-unusable",
    problem: /is not a folder/,
    settings: () => ({ DATA_DIR: file("") }),
  },
  { title: "a network file system", id: "data-dir-network", problem: /\(NFS\)/, machine: disk(0x6969) },
  { title: "a data folder in memory", id: "data-dir-temporary", problem: /tmpfs/, machine: disk(0x01021994) },
  { title: "a container without a volume", id: "data-dir-temporary", problem: /overlayfs/, machine: disk(0x794c7630) },
  { title: "a full disk", id: "disk-full", problem: /9 MB are free/, machine: disk(EXT4, 9.5 * 1024 * 1024) },
  {
    title: "a disk that is nearly full",
    id: "disk-low",
    problem: /500 MB are free/,
    machine: disk(EXT4, 500 * 1024 * 1024),
  },
  {
    title: "a key file that others can read",
    id: "file-exposed",
    problem: /can read .*encryption\.key$/,
    settings() {
      const DATA_DIR = copy();
      chmodSync(join(DATA_DIR, "encryption.key"), 0o640);
      return { DATA_DIR };
    },
  },
  {
    title: "a missing key file",
    id: "key-missing",
    problem: /plugboard\.db exists, but its key file .* does not/,
    settings() {
      const DATA_DIR = copy();
      rmSync(join(DATA_DIR, "encryption.key"));
      return { DATA_DIR };
    },
  },
  {
    title: "a key file without a key",
    id: "key-invalid",
    problem: /must be 32 bytes/,
    settings() {
      const DATA_DIR = copy();
      writeFileSync(join(DATA_DIR, "encryption.key"), SECRET);
      return { DATA_DIR };
    },
  },
  {
    title: "the key file of another database",
    id: "key-wrong",
    problem: /are not those of the database/,
    settings() {
      const DATA_DIR = copy();
      writeFileSync(join(DATA_DIR, "encryption.key"), newKey());
      return { DATA_DIR };
    },
  },
  {
    title: "another key",
    id: "key-wrong",
    problem: /^ENCRYPTION_KEY: the database's secrets are encrypted with key/,
    settings: () => ({ ENCRYPTION_KEY: newKey() }),
  },
  {
    title: "a command for the key that fails",
    id: "key-command-failed",
    problem: /^ENCRYPTION_KEY_COMMAND: the command ended with status 3/,
    settings: () => ({ ENCRYPTION_KEY_COMMAND: `echo ${SECRET} && exit 3` }),
  },
  {
    title: "a command that prints something else than a key",
    id: "key-command-failed",
    problem: /what the command prints must be 32 bytes/,
    settings: () => ({ ENCRYPTION_KEY_COMMAND: `echo ${SECRET}` }),
  },
];
it.each(cases)("$title is found: $id", async ({ id, problem, settings, machine }) => {
  await expectFinding({ ...healthy, ...settings?.() }, id, problem, machine);
});

it("a command for the key that is slow is found: key-command-slow", async () => {
  let now = Date.now();
  const slow = () => {
    now += 6_000;
    return now;
  };
  const settings = { ...healthy, ENCRYPTION_KEY_COMMAND: `cat ${healthy.DATA_DIR}/encryption.key` };
  await expectFinding(settings, "key-command-slow", /took 6 s/, { now: slow });
});

it("in a container, secrets that are mounted for everybody are fine", async () => {
  const settings = { DATA_DIR: join(folder, "new"), PORT: "0", ENCRYPTION_KEY_FILE: file(newKey(), 0o644) };
  expect(await findings(settings, { isContainer: true })).toEqual([]);
});
