import { createCipheriv, createDecipheriv, randomBytes, scrypt } from "node:crypto";
import { promisify } from "node:util";

/**
 * A stream that only somebody with the passphrase can read or change. It starts with this header, in plain text:
 *
 *     "plugboard-export" (16 bytes), format (1 byte), log2 of scrypt's N, r, p (1 byte each), salt (16), nonce (7)
 *
 * Then come chunks of 64 KiB, encrypted with AES-256-GCM, each followed by its tag of 16 bytes. The nonce of a chunk is
 * the header's, the number of the chunk (4 bytes) and 1 for the last one, 0 for the others; so none can be removed,
 * repeated or moved (the construction STREAM: https://eprint.iacr.org/2015/189). The header is authenticated with each.
 */
const MAGIC = Buffer.from("plugboard-export");
const FORMAT = 1;
const SALT_BYTES = 16;
const NONCE_BYTES = 7;
const HEADER_BYTES = MAGIC.length + 4 + SALT_BYTES + NONCE_BYTES;
const CHUNK_BYTES = 64 * 1024;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
/** A guess costs 128 MB and about half a second. */
const COST = { log2N: 17, r: 8, p: 1 };
/** A file that asks for more than 1 GB is not one of ours. */
const MAX_COST = { log2N: 20, r: 8, p: 4 };

/** The file cannot be read: the message says why. */
export class UnreadableFile extends Error {}

interface Sealing {
  header: Buffer;
  key: Buffer;
}

async function deriveKey(passphrase: string, header: Buffer): Promise<Buffer> {
  const [log2N, r, p] = header.subarray(MAGIC.length + 1) as unknown as [number, number, number];
  if (log2N > MAX_COST.log2N || r > MAX_COST.r || p > MAX_COST.p) throw new UnreadableFile("it is damaged");
  const salt = header.subarray(MAGIC.length + 4, MAGIC.length + 4 + SALT_BYTES);
  const options = { N: 2 ** log2N, r, p, maxmem: 2 ** log2N * r * 256 };
  const derive = promisify<string, Buffer, number, typeof options, Buffer>(scrypt);
  return derive(passphrase.normalize("NFC"), salt, KEY_BYTES, options);
}

function nonceOf(header: Buffer, number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE_BYTES + 5);
  header.copy(nonce, 0, HEADER_BYTES - NONCE_BYTES);
  nonce.writeUInt32BE(number, NONCE_BYTES);
  nonce[NONCE_BYTES + 4] = Number(isLast);
  return nonce;
}

function sealChunk({ header, key }: Sealing, number: number, isLast: boolean, text: Buffer): Buffer {
  const cipher = createCipheriv("aes-256-gcm", key, nonceOf(header, number, isLast)).setAAD(header);
  return Buffer.concat([cipher.update(text), cipher.final(), cipher.getAuthTag()]);
}

function openChunk({ header, key }: Sealing, number: number, isLast: boolean, chunk: Buffer): Buffer {
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, nonceOf(header, number, isLast), { authTagLength: TAG_BYTES })
      .setAAD(header)
      .setAuthTag(chunk.subarray(-TAG_BYTES));
    return Buffer.concat([decipher.update(chunk.subarray(0, -TAG_BYTES)), decipher.final()]);
  } catch {
    // Nothing tells the two apart at the beginning.
    throw new UnreadableFile(number === 0 ? "the passphrase is another one, or the file is damaged" : "it is damaged");
  }
}

/** Cuts a stream into chunks of one size. The last one, which may be shorter, is known when the stream has ended. */
async function* inChunks(
  stream: AsyncIterable<Buffer>,
  size: number,
): AsyncGenerator<[chunk: Buffer, isLast: boolean]> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of stream) {
    rest = Buffer.concat([rest, piece]);
    for (; rest.length > size; rest = rest.subarray(size)) yield [rest.subarray(0, size), false];
  }
  yield [rest, true];
}

/** For a pipeline: encrypts what comes with the passphrase. Only tests give another cost. */
export async function seal(
  passphrase: string,
  cost = COST,
): Promise<(stream: AsyncIterable<Buffer>) => AsyncGenerator<Buffer>> {
  const header = Buffer.concat([
    MAGIC,
    Buffer.from([FORMAT, cost.log2N, cost.r, cost.p]),
    randomBytes(SALT_BYTES + NONCE_BYTES),
  ]);
  const sealing = { header, key: await deriveKey(passphrase, header) };
  return async function* (stream) {
    yield header;
    let number = 0;
    for await (const [chunk, isLast] of inChunks(stream, CHUNK_BYTES))
      yield sealChunk(sealing, number++, isLast, chunk);
  };
}

/** For a pipeline: the opposite of `seal`. Throws `UnreadableFile`, at the latest at the end. */
export const unseal = (passphrase: string) =>
  async function* (stream: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let sealing: Sealing | undefined;
    let number = 0;
    for await (const [chunk, isLast] of inChunks(withHeader(stream), CHUNK_BYTES + TAG_BYTES)) {
      yield openChunk(sealing!, number++, isLast, chunk);
    }

    /** Takes the header off. */
    async function* withHeader(whole: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
      let start: Buffer = Buffer.alloc(0);
      for await (const piece of whole) {
        if (sealing) yield piece;
        else {
          start = Buffer.concat([start, piece]);
          if (start.length < HEADER_BYTES) continue;
          sealing = await readHeader(passphrase, start.subarray(0, HEADER_BYTES));
          yield start.subarray(HEADER_BYTES);
        }
      }
      if (!sealing) throw new UnreadableFile("it is not an export of Plugboard");
    }
  };

async function readHeader(passphrase: string, header: Buffer): Promise<Sealing> {
  if (!header.subarray(0, MAGIC.length).equals(MAGIC)) throw new UnreadableFile("it is not an export of Plugboard");
  if (header[MAGIC.length] !== FORMAT) throw new UnreadableFile("it was made by a newer version of Plugboard");
  return { header, key: await deriveKey(passphrase, header) };
}
