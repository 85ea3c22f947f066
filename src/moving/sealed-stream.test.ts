import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, it } from "vitest";
import { seal, UnreadableFile, unseal } from "./sealed-stream.ts";

const PASSPHRASE = "correct horse battery";
const HEADER = 43;
const CHUNK = 64 * 1024;
const SEALED_CHUNK = CHUNK + 16;

async function* inPieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

const collect = async (stream: AsyncIterable<Buffer>) => Buffer.concat(await Array.fromAsync(stream));
const open = (sealed: Buffer, passphrase = PASSPHRASE) => collect(unseal(passphrase)(inPieces(sealed, 50_000)));

describe("a sealed stream", () => {
  let sealText: Awaited<ReturnType<typeof seal>>;
  let text: Buffer;
  let sealed: Buffer;

  beforeAll(async () => {
    sealText = await seal(PASSPHRASE, { log2N: 10, r: 8, p: 1 });
    text = randomBytes(2 * CHUNK + 1000);
    sealed = await collect(sealText(inPieces(text, 33_333)));
  });

  it("opens with its passphrase, whatever its size is", async () => {
    expect(await open(sealed)).toEqual(text);
    for (const size of [0, 1, CHUNK, 2 * CHUNK]) {
      const part = text.subarray(0, size);
      const opened = await open(await collect(sealText(inPieces(part, 10_000))));
      expect(opened.equals(part), `${size} bytes`).toBe(true);
    }
  });

  it("does not open with another passphrase", async () => {
    await expect(open(sealed, "correct horse batterz")).rejects.toThrow(/the passphrase is another one, or/);
  });

  it("does not open if anything was changed, removed, added, repeated or moved", async () => {
    const chunk = (number: number) =>
      sealed.subarray(HEADER + number * SEALED_CHUNK, HEADER + (number + 1) * SEALED_CHUNK);
    const header = sealed.subarray(0, HEADER);
    const flipped = (at: number) => {
      const copy = Buffer.from(sealed);
      copy[at]! ^= 1;
      return copy;
    };
    const changed: Record<string, Buffer> = {
      "a byte of the salt": flipped(25),
      "a byte of the nonce": flipped(HEADER - 1),
      "a byte of the text": flipped(HEADER + SEALED_CHUNK + 5),
      "the last byte": flipped(sealed.length - 1),
      "cut inside of a chunk": sealed.subarray(0, sealed.length - 1),
      "cut between two chunks": sealed.subarray(0, HEADER + 2 * SEALED_CHUNK),
      "only the header": header,
      "a chunk removed": Buffer.concat([header, chunk(0), chunk(2)]),
      "two chunks exchanged": Buffer.concat([header, chunk(1), chunk(0), chunk(2)]),
      "a chunk repeated": Buffer.concat([header, chunk(0), chunk(0), chunk(1), chunk(2)]),
      "a byte added": Buffer.concat([sealed, Buffer.from([0])]),
    };
    for (const [what, bytes] of Object.entries(changed))
      await expect(open(bytes), what).rejects.toBeInstanceOf(UnreadableFile);
  });

  it("is not taken for something else, and does not ask for all memory", async () => {
    for (const other of ["", "short", "x".repeat(1000)])
      await expect(open(Buffer.from(other))).rejects.toThrow("it is not an export of Plugboard");
    const expensive = Buffer.from(sealed);
    expensive[17] = 30;
    await expect(open(expensive)).rejects.toThrow("it is damaged");
    const newer = Buffer.from(sealed);
    newer[16] = 2;
    await expect(open(newer)).rejects.toThrow("newer version");
  });
});
