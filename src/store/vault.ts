import { createCipheriv, createDecipheriv, createHash, hkdfSync, randomBytes } from "node:crypto";

/** Where keys come from. */
export interface KeySource {
  /** The keys of 32 bytes each, the current one first. */
  read(): Buffer[];
  /** Differs once the keys may have changed. Absent where they never do. */
  version?(): string;
}

/** Where a secret stands. An encrypted value opens in its own place only, so that none can be moved to another row. */
export interface Place {
  table: string;
  id: string;
  column: string;
}

export interface Keyring {
  encrypt(secret: string, place: Place): string;
  decrypt(value: string, place: Place): string;
  /** What every value starts with that is under the current key. */
  currentPrefix(): string;
  /** Keys for another purpose, one made from each key, the current first: sign with the first, accept any. */
  derive(label: string): Buffer[];
}

interface Key {
  id: string;
  secret: Buffer;
}

const FORMAT = "aes256gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
/** How long a rotation by another process may go unnoticed. Values under an unknown key are looked into at once. */
const LOOK_EVERY_MS = 1000;

export const keyId = (secret: Buffer): string => createHash("sha256").update(secret).digest("hex").slice(0, 8);

const prefix = (id: string): string => `${FORMAT}.${id}.`;
const boundTo = ({ table, id, column }: Place): Buffer => Buffer.from(JSON.stringify([table, id, column]));

export function createKeyring(source: KeySource): Keyring {
  let version = source.version?.();
  let keys = readKeys(source);
  let lookedAt = performance.now();
  const derived = new Map<string, Buffer[]>();

  function reread(): void {
    lookedAt = performance.now();
    try {
      const found = source.version?.();
      if (found === version) return;
      keys = readKeys(source);
      version = found;
      derived.clear();
    } catch {
      // The keys at hand still serve while the source cannot be read.
    }
  }

  function current(): Key {
    if (performance.now() - lookedAt >= LOOK_EVERY_MS) reread();
    return keys[0]!;
  }

  function find(id: string): Key | undefined {
    const known = keys.find((key) => key.id === id);
    if (known) return known;
    reread();
    return keys.find((key) => key.id === id);
  }

  return {
    encrypt(secret, place) {
      const key = current();
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv("aes-256-gcm", key.secret, nonce).setAAD(boundTo(place));
      const sealed = Buffer.concat([nonce, cipher.update(secret, "utf8"), cipher.final(), cipher.getAuthTag()]);
      return prefix(key.id) + sealed.toString("base64url");
    },

    decrypt(value, place) {
      const where = `${place.table} ${place.id}, column ${place.column}`;
      const [format, id, payload] = value.split(".");
      const sealed = Buffer.from(payload ?? "", "base64url");
      if (format !== FORMAT || !id || sealed.length < NONCE_BYTES + TAG_BYTES) {
        throw new Error(`${where}: this is not an encrypted value`);
      }
      const key = find(id);
      if (!key) throw new Error(`${where}: encrypted under key ${id}, which is not among the keys given`);
      try {
        const decipher = createDecipheriv("aes-256-gcm", key.secret, sealed.subarray(0, NONCE_BYTES), {
          authTagLength: TAG_BYTES,
        })
          .setAAD(boundTo(place))
          .setAuthTag(sealed.subarray(-TAG_BYTES));
        const text = decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES));
        return Buffer.concat([text, decipher.final()]).toString("utf8");
      } catch {
        throw new Error(`${where}: the encrypted value was changed, or belongs to another place`);
      }
    },

    currentPrefix: () => prefix(current().id),

    derive(label) {
      current();
      const known = derived.get(label);
      if (known) return known;
      const made = keys.map((key) => Buffer.from(hkdfSync("sha256", key.secret, "", label, 32)));
      derived.set(label, made);
      return made;
    },
  };
}

function readKeys(source: KeySource): Key[] {
  const keys = source.read().map((secret) => ({ id: keyId(secret), secret }));
  if (keys.length === 0) throw new Error("There is no encryption key");
  return keys;
}
