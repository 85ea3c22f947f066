import { createHash, randomBytes } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { keysFromFile, keysFromText, rotateKeyFile } from "./key-source.ts";
import { createKeyring } from "./vault.ts";

const folder = mkdtempSync(join(tmpdir(), "plugboard-vault-"));
afterAll(() => rmSync(folder, { recursive: true }));

const newKey = () => randomBytes(32).toString("base64");
const place = { table: "connections", id: "conn_1", column: "credentials" };

describe("keyring", () => {
  it("gives back what it encrypted, whatever the text", () => {
    const keyring = createKeyring(keysFromText(newKey()));
    for (const secret of ["", "a", "ключ 🔑 \u0000 \u2028", "x".repeat(100_000)]) {
      const value = keyring.encrypt(secret, place);
      expect(keyring.decrypt(value, place)).toBe(secret);
      if (secret.length > 1) expect(value).not.toContain(secret);
    }
  });

  it("never encrypts the same text to the same value", () => {
    const keyring = createKeyring(keysFromText(newKey()));
    expect(keyring.encrypt("same", place)).not.toBe(keyring.encrypt("same", place));
  });

  it("stores the key's id with the value: the first 8 hex digits of its SHA-256", () => {
    const key = newKey();
    const id = createHash("sha256").update(Buffer.from(key, "base64")).digest("hex").slice(0, 8);
    const keyring = createKeyring(keysFromText(key));
    expect(keyring.encrypt("secret", place).split(".")[1]).toBe(id);
    expect(keyring.encrypt("secret", place).startsWith(keyring.currentPrefix())).toBe(true);
  });

  it.each([
    ["another row", { ...place, id: "conn_2" }],
    ["another column", { ...place, column: "settings" }],
    ["another table", { ...place, table: "integrations" }],
    ["names that join to the same text", { table: "connectionsconn", id: "_1", column: "credentials" }],
  ])("refuses a value that was moved to %s", (_, other) => {
    const keyring = createKeyring(keysFromText(newKey()));
    const value = keyring.encrypt("hush", place);
    expect(() => keyring.decrypt(value, other)).toThrow(`${other.table} ${other.id}, column ${other.column}`);
  });

  it("refuses a value with any byte changed, and does not show it", () => {
    const keyring = createKeyring(keysFromText(newKey()));
    const [format, id, payload] = keyring.encrypt("hush", place).split(".") as [string, string, string];
    const bytes = Buffer.from(payload, "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const value = `${format}.${id}.${changed.toString("base64url")}`;
      expect(() => keyring.decrypt(value, place)).toThrow(
        /^connections conn_1, column credentials: the encrypted value was changed, or belongs to another place$/,
      );
    }
  });

  it.each(["", "hush", "aes256gcm", "aes256gcm.12345678.", "aes256gcm.12345678.AAAA", "other.12345678.AAAA"])(
    "refuses %j, which is not an encrypted value",
    (value) => {
      const keyring = createKeyring(keysFromText(newKey()));
      expect(() => keyring.decrypt(value, place)).toThrow("column credentials: this is not an encrypted value");
    },
  );

  it("encrypts under the first key and reads under all", () => {
    const [old, current] = [newKey(), newKey()];
    const before = createKeyring(keysFromText(old));
    const both = createKeyring(keysFromText(`${current}, ${old}`));
    const after = createKeyring(keysFromText(current));
    const value = before.encrypt("hush", place);
    expect(both.decrypt(value, place)).toBe("hush");
    expect(after.decrypt(both.encrypt("hush", place), place)).toBe("hush");
    expect(() => after.decrypt(value, place)).toThrow(/encrypted under key [0-9a-f]{8}, which is not among/);
  });

  it("derives other keys, one from each key and another for each purpose", () => {
    const [old, current] = [newKey(), newKey()];
    const before = createKeyring(keysFromText(old));
    const both = createKeyring(keysFromText(`${current},${old}`));
    expect(both.derive("cursors")).toHaveLength(2);
    expect(both.derive("cursors")[1]).toEqual(before.derive("cursors")[0]);
    expect(both.derive("cursors")[0]).not.toEqual(both.derive("cursors")[1]);
    expect(both.derive("cursors")[0]).not.toEqual(both.derive("states")[0]);
    expect(both.derive("cursors")[0]).toHaveLength(32);
  });

  it.each(["", "short", `${newKey()},`, newKey().slice(1), randomBytes(33).toString("base64"), `${newKey()}*`])(
    "refuses a key that is not 32 bytes, without showing it",
    (text) => {
      expect(() => keysFromText(text)).toThrow(/^ENCRYPTION_KEY must be 32 bytes in base64$/);
    },
  );
});

describe("key file", () => {
  it("is made for its owner alone, and kept", () => {
    const file = join(folder, "new", "encryption.key");
    const value = createKeyring(keysFromFile(file)).encrypt("hush", place);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(createKeyring(keysFromFile(file)).decrypt(value, place)).toBe("hush");
  });

  it("puts a new key first when it is rotated, and keeps the others", () => {
    const file = join(folder, "rotated.key");
    const value = createKeyring(keysFromFile(file)).encrypt("hush", place);
    const id = rotateKeyFile(file);
    const keyring = createKeyring(keysFromFile(file));
    expect(keyring.decrypt(value, place)).toBe("hush");
    expect(keyring.currentPrefix()).toContain(id);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
  });

  it("is read again when a value is under a key that another process made", () => {
    const file = join(folder, "shared.key");
    const here = createKeyring(keysFromFile(file));
    rotateKeyFile(file);
    const value = createKeyring(keysFromFile(file)).encrypt("hush", place);
    expect(here.decrypt(value, place)).toBe("hush");
  });

  it("is noticed to have changed before something is encrypted or derived", async () => {
    const file = join(folder, "noticed.key");
    const [encrypting, deriving] = [createKeyring(keysFromFile(file)), createKeyring(keysFromFile(file))];
    deriving.derive("cursors");
    const id = rotateKeyFile(file);
    await vi.waitFor(() => expect(encrypting.encrypt("hush", place)).toContain(id), 5000);
    await vi.waitFor(() => expect(deriving.derive("cursors")).toHaveLength(2), 5000);
  });

  it("may vanish or break while the service runs", async () => {
    const file = join(folder, "vanishing.key");
    const keyring = createKeyring(keysFromFile(file));
    const value = keyring.encrypt("hush", place);
    const unknown = value.replace(/\.[0-9a-f]{8}\./, ".00000000.");
    writeFileSync(file, "damaged\n");
    expect(() => keyring.decrypt(unknown, place)).toThrow("under key 00000000");
    rmSync(file);
    expect(() => keyring.decrypt(unknown, place)).toThrow("under key 00000000");
    expect(keyring.decrypt(keyring.encrypt("again", place), place)).toBe("again");
    expect(keyring.decrypt(value, place)).toBe("hush");
  });

  it("is refused where a line is no key, or there is none", () => {
    const file = join(folder, "damaged.key");
    writeFileSync(file, `${newKey()}\nsomething else\n`);
    expect(() => createKeyring(keysFromFile(file))).toThrow(`Every line of ${file} must be 32 bytes in base64`);
    writeFileSync(file, "\n");
    expect(() => createKeyring(keysFromFile(file))).toThrow("There is no encryption key");
  });

  it("is not rotated twice at once, which would lose a key", () => {
    const file = join(folder, "busy.key");
    createKeyring(keysFromFile(file));
    const before = readFileSync(file, "utf8");
    writeFileSync(`${file}.new`, "");
    expect(() => rotateKeyFile(file)).toThrow(/Another rotation .* is under way/);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});
