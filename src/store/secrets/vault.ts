import {
  createCipheriv,
  createDecipheriv,
  createHash,
  createSecretKey,
  hkdfSync,
  type KeyObject,
  randomBytes,
} from "node:crypto";

/** Where keys come from. */
export interface KeySource {
  /** Keys of 32 bytes each, the current one first. */
  read(): Buffer[];
  /** Changes when the keys may have changed. Absent if they never do. */
  version?(): string;
}

/** Where a secret is stored. An encrypted value decrypts only there, so it cannot be copied to another row. */
export interface SecretLocation {
  table: string;
  id: string;
  column: string;
}

export interface Keyring {
  /** Ids of the keys, the current one first. */
  ids(): string[];
  /** Encrypts with the current key, or with the one that has this id. */
  encrypt(secret: string, location: SecretLocation, id?: string): string;
  decrypt(value: string, location: SecretLocation): string;
  /** Whether the value names one of the keys. Nothing is decrypted: the value may still be damaged. */
  hasKeyOf(value: string): boolean;
  /** The prefix of every value encrypted with the current key. */
  currentPrefix(): string;
  /** Keys for another purpose, one derived from each key, the current one first: sign with the first, accept any. */
  derive(label: string): KeyObject[];
}

interface Key {
  id: string;
  /** Not the bytes, from which every call would make a key object. */
  secret: KeyObject;
}

const FORMAT = "aes256gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** How often to check for a rotation by another process. A value with an unknown key triggers a check immediately. */
const CHECK_EVERY_MS = 1000;

export const keyId = (secret: Buffer): string => createHash("sha256").update(secret).digest("hex").slice(0, 8);

/** The id of the key that a value was encrypted with, or undefined if it is not an encrypted value. */
export function keyIdOf(value: string): string | undefined {
  const [format, id] = value.split(".", 2);
  return format === FORMAT ? id : undefined;
}

/** What every value that was encrypted with this key starts with. */
export const keyPrefix = (id: string): string => `${FORMAT}.${id}.`;
const additionalData = ({ table, id, column }: SecretLocation): Buffer =>
  Buffer.from(JSON.stringify([table, id, column]));

export function createKeyring(source: KeySource): Keyring {
  let version = source.version?.();
  let keys = readKeys(source);
  let checkedAt = performance.now();
  const derived = new Map<string, KeyObject[]>();

  function reread(): void {
    checkedAt = performance.now();
    try {
      const found = source.version?.();
      if (found === version) return;
      const fresh = readKeys(source);
      version = found;
      // A rotation keeps a known key. Keys that are all new belong to another database.
      if (!fresh.some(({ id }) => keys.some((key) => key.id === id))) return;
      keys = fresh;
      derived.clear();
    } catch {
      // Keep using the current keys while the source cannot be read.
    }
  }

  function current(): Key {
    if (performance.now() - checkedAt >= CHECK_EVERY_MS) reread();
    return keys[0]!;
  }

  function find(id: string): Key | undefined {
    const known = keys.find((key) => key.id === id);
    if (known) return known;
    reread();
    return keys.find((key) => key.id === id);
  }

  return {
    ids: () => [current().id, ...keys.slice(1).map((key) => key.id)],

    encrypt(secret, location, id) {
      const key = id === undefined ? current() : find(id);
      if (!key) throw new Error(`there is no key ${id}`);
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key.secret, nonce).setAAD(additionalData(location));
      const encrypted = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return keyPrefix(key.id) + encrypted.toString("base64url");
    },

    decrypt(value, location) {
      const where = `${location.table} ${location.id}, column ${location.column}`;
      const [format, id, payload] = value.split(".");
      const encrypted = Buffer.from(payload ?? "", "base64url");
      if (format !== FORMAT || !id || encrypted.length < NONCE_BYTES + TAG_BYTES) {
        throw new Error(`${where}: not an encrypted value`);
      }
      const key = find(id);
      if (!key) throw new Error(`${where}: encrypted with key ${id}, which is not among the configured keys`);
      try {
        const decipher = createDecipheriv("aes-256-gcm", key.secret, encrypted.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(additionalData(location))
          .setAuthTag(encrypted.subarray(-TAG_BYTES));
        const text = decipher.update(encrypted.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        throw new Error(`${where}: the encrypted value was modified or copied from another row or column`);
      }
    },

    hasKeyOf(value) {
      const id = keyIdOf(value);
      return id !== undefined && find(id) !== undefined;
    },

    currentPrefix: () => keyPrefix(current().id),

    derive(label) {
      current();
      const known = derived.get(label);
      if (known) return known;
      const fresh = keys.map((key) => createSecretKey(Buffer.from(hkdfSync("sha256", key.secret, "", label, 32))));
      derived.set(label, fresh);
      return fresh;
    },
  };
}

function readKeys(source: KeySource): Key[] {
  const keys = source.read().map((secret) => ({ id: keyId(secret), secret: createSecretKey(secret) }));
  if (keys.length === 0) throw new Error("No encryption key found");
  return keys;
}
