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
const location = { table: "connections", id: "conn_1", column: "credentials" };

describe("keyring", () => {
  it("the keyring decrypts what it encrypted, whatever the text", () => {
    const keyring = createKeyring(keysFromText(newKey()));
    for (const secret of ["", "a", "ключ 🔑 \u0000 \u2028", "x".repeat(100_000)]) {
      const value = keyring.encrypt(secret, location);
      expect(keyring.decrypt(value, location)).toBe(secret);
      if (secret.length > 1) expect(value).not.toContain(secret);
    }
  });

  it("the keyring never encrypts the same text to the same value", () => {
    const keyring = createKeyring(keysFromText(newKey()));
    expect(keyring.encrypt("same", location)).not.toBe(keyring.encrypt("same", location));
  });

  it("an encrypted value contains its key's id: the first 8 hex digits of the key's SHA-256", () => {
    const key = newKey();
    const id = createHash("sha256").update(Buffer.from(key, "base64")).digest("hex").slice(0, 8);
    const keyring = createKeyring(keysFromText(key));
    expect(keyring.encrypt("secret", location).split(".")[1]).toBe(id);
    expect(keyring.encrypt("secret", location).startsWith(keyring.currentPrefix())).toBe(true);
  });

  it.each([
    ["another row", { ...location, id: "conn_2" }],
    ["another column", { ...location, column: "settings" }],
    ["another table", { ...location, table: "integrations" }],
    ["names that concatenate to the same text", { table: "connectionsconn", id: "_1", column: "credentials" }],
  ])("the keyring refuses a value that was moved to %s", (_, other) => {
    const keyring = createKeyring(keysFromText(newKey()));
    const value = keyring.encrypt("hush", location);
    expect(() => keyring.decrypt(value, other)).toThrow(`${other.table} ${other.id}, column ${other.column}`);
  });

  it("the keyring refuses a value with any byte changed, and the error does not contain it", () => {
    const keyring = createKeyring(keysFromText(newKey()));
    const [format, id, payload] = keyring.encrypt("hush", location).split(".") as [string, string, string];
    const bytes = Buffer.from(payload, "base64url");
    for (let at = 0; at < bytes.length; at += 1) {
      const changed = Buffer.from(bytes);
      changed[at]! ^= 1;
      const value = `${format}.${id}.${changed.toString("base64url")}`;
      expect(() => keyring.decrypt(value, location)).toThrow(
        /^connections conn_1, column credentials: the encrypted value was modified or copied from another row or column$/,
      );
    }
  });

  it.each(["", "hush", "aes256gcm", "aes256gcm.12345678.", "aes256gcm.12345678.AAAA", "other.12345678.AAAA"])(
    "the keyring refuses %j, which is not an encrypted value",
    (value) => {
      const keyring = createKeyring(keysFromText(newKey()));
      expect(() => keyring.decrypt(value, location)).toThrow("column credentials: not an encrypted value");
    },
  );

  it("the keyring encrypts with the first key and decrypts with any", () => {
    const [old, current] = [newKey(), newKey()];
    const before = createKeyring(keysFromText(old));
    const both = createKeyring(keysFromText(`${current}, ${old}`));
    const after = createKeyring(keysFromText(current));
    const value = before.encrypt("hush", location);
    expect(both.decrypt(value, location)).toBe("hush");
    expect(after.decrypt(both.encrypt("hush", location), location)).toBe("hush");
    expect(() => after.decrypt(value, location)).toThrow(/encrypted with key [0-9a-f]{8}, which is not among/);
  });

  it("the keyring derives keys for each purpose, one from each key", () => {
    const [old, current] = [newKey(), newKey()];
    const before = createKeyring(keysFromText(old));
    const both = createKeyring(keysFromText(`${current},${old}`));
    const derived = (keyring: typeof both, label: string) => keyring.derive(label).map((key) => key.export());
    const [first, second] = derived(both, "cursors");
    expect(derived(both, "cursors")).toHaveLength(2);
    expect(second).toEqual(derived(before, "cursors")[0]);
    expect(first).not.toEqual(second);
    expect(first).not.toEqual(derived(both, "states")[0]);
    expect(first).toHaveLength(32);
  });

  it.each(["", "short", `${newKey()},`, newKey().slice(1), randomBytes(33).toString("base64"), `${newKey()}*`])(
    "a key that is not 32 bytes is refused, and the error does not contain it",
    (text) => {
      expect(() => keysFromText(text)).toThrow(/^ENCRYPTION_KEY must be 32 bytes in base64$/);
    },
  );
});

describe("key file", () => {
  it("a key file is created readable only by its owner, and is reused", () => {
    const file = join(folder, "new", "encryption.key");
    const value = createKeyring(keysFromFile(file)).encrypt("hush", location);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(createKeyring(keysFromFile(file)).decrypt(value, location)).toBe("hush");
  });

  it("rotating a key file puts a new key first and keeps the others", () => {
    const file = join(folder, "rotated.key");
    const value = createKeyring(keysFromFile(file)).encrypt("hush", location);
    const id = rotateKeyFile(file);
    const keyring = createKeyring(keysFromFile(file));
    expect(keyring.decrypt(value, location)).toBe("hush");
    expect(keyring.currentPrefix()).toContain(id);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, "utf8").trim().split("\n")).toHaveLength(2);
  });

  it("a key file is read again for a value encrypted with a key that another process added", () => {
    const file = join(folder, "shared.key");
    const here = createKeyring(keysFromFile(file));
    rotateKeyFile(file);
    const value = createKeyring(keysFromFile(file)).encrypt("hush", location);
    expect(here.decrypt(value, location)).toBe("hush");
  });

  it("a changed key file is noticed when something is encrypted or derived", async () => {
    const file = join(folder, "noticed.key");
    const [encrypting, deriving] = [createKeyring(keysFromFile(file)), createKeyring(keysFromFile(file))];
    deriving.derive("cursors");
    const id = rotateKeyFile(file);
    await vi.waitFor(() => expect(encrypting.encrypt("hush", location)).toContain(id), 60_000);
    await vi.waitFor(() => expect(deriving.derive("cursors")).toHaveLength(2), 60_000);
  });

  it("the keyring keeps working when its key file is damaged or deleted", async () => {
    const file = join(folder, "vanishing.key");
    const keyring = createKeyring(keysFromFile(file));
    const value = keyring.encrypt("hush", location);
    const unknown = value.replace(/\.[0-9a-f]{8}\./, ".00000000.");
    writeFileSync(file, "damaged\n");
    expect(() => keyring.decrypt(unknown, location)).toThrow("with key 00000000");
    rmSync(file);
    expect(() => keyring.decrypt(unknown, location)).toThrow("with key 00000000");
    expect(keyring.decrypt(keyring.encrypt("again", location), location)).toBe("again");
    expect(keyring.decrypt(value, location)).toBe("hush");
  });

  it("a key file with an invalid line or without a key is refused", () => {
    const file = join(folder, "damaged.key");
    writeFileSync(file, `${newKey()}\nsomething else\n`);
    expect(() => createKeyring(keysFromFile(file))).toThrow(`Every line of ${file} must be 32 bytes in base64`);
    writeFileSync(file, "\n");
    expect(() => createKeyring(keysFromFile(file))).toThrow("No encryption key found");
  });

  it("a key file cannot be rotated twice at the same time, which would lose a key", () => {
    const file = join(folder, "busy.key");
    createKeyring(keysFromFile(file));
    const before = readFileSync(file, "utf8");
    writeFileSync(`${file}.new`, "");
    expect(() => rotateKeyFile(file)).toThrow(/Another rotation .* is in progress/);
    expect(readFileSync(file, "utf8")).toBe(before);
  });
});
