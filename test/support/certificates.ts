// A certificate authority of one's own, as companies have them.
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

function openssl(folder: string, ...args: string[]): void {
  const { status, stderr, error } = spawnSync("openssl", args, { cwd: folder, encoding: "utf8" });
  if (status !== 0) throw new Error(`openssl ${args[0]} failed: ${error ?? stderr}`);
}

export interface Certificate {
  /** Files. */
  cert: string;
  key: string;
}

/** The files of an authority, which issues certificates for names and addresses, valid for some days. */
export function createAuthority(days = 2) {
  const folder = mkdtempSync(join(tmpdir(), "plugboard-ca-"));
  chmodSync(folder, 0o755);
  const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  openssl(
    folder,
    "req",
    "-x509",
    ...newKey,
    "-keyout",
    "ca.key",
    "-out",
    "ca.pem",
    "-subj",
    "/CN=Test CA",
    "-days",
    String(days),
  );
  let issued = 0;
  /** With -1 day it has expired. */
  function issueFor(validDays: number, ...names: string[]): Certificate {
    const name = `server-${++issued}`;
    writeFileSync(join(folder, `${name}.ext`), `subjectAltName=${names.join(",")}`);
    openssl(folder, "req", ...newKey, "-keyout", `${name}.key`, "-out", `${name}.csr`, "-subj", "/CN=server");
    const from = ["-in", `${name}.csr`, "-CA", "ca.pem", "-CAkey", "ca.key", "-CAcreateserial"];
    const until = ["-days", String(validDays), "-extfile", `${name}.ext`];
    openssl(folder, "x509", "-req", ...from, "-out", `${name}.pem`, ...until);
    return { cert: join(folder, `${name}.pem`), key: join(folder, `${name}.key`) };
  }
  return {
    folder,
    /** The file with its certificate. */
    ca: join(folder, "ca.pem"),
    /** `names` such as `DNS:localhost` or `IP:127.0.0.1`. */
    issue: (...names: string[]): Certificate => issueFor(days, ...names),
    issueFor,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type Authority = ReturnType<typeof createAuthority>;

/** The contents of a certificate's files. */
export const contentsOf = ({ cert, key }: Certificate) => ({ cert: readFileSync(cert), key: readFileSync(key) });
