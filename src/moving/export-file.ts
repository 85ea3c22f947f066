import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline as startPipeline } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { MovedRow, MovedRows } from "../contracts/moving.ts";
import { createComplete } from "./new-file.ts";
import { seal, UnreadableFile, unseal } from "./sealed-stream.ts";

/** Rows that are written together. */
const BATCH_SIZE = 500;

/** The first line of an export. */
export interface ExportHeader {
  /** Of the tables: see `store/database/migrations.ts`. */
  schema: number;
  /** Of Plugboard. */
  version: string;
  exported_at: string;
}

/** Inside of the sealing, an export is gzipped text: a line with its header, and one with table and row for each row. */
export const writeExport = (
  file: string,
  passphrase: string,
  header: ExportHeader,
  produce: (write: (rows: MovedRows) => Promise<void>) => Promise<void>,
): Promise<void> =>
  createComplete(file, async (partial) => {
    const gzip = createGzip();
    // Before the file is opened: while this takes its time, nothing would handle an error of the file.
    const sealed = await seal(passphrase);
    const output = createWriteStream(partial, { flags: "wx", mode: 0o600, flush: true });
    const written = pipeline(gzip, sealed, output);
    // Awaited at the end.
    written.catch(() => {});
    const write = async (text: string) => {
      // A full disk ends the pipeline, and nothing would be drained then.
      if (!gzip.write(text)) await Promise.race([once(gzip, "drain"), written]);
    };
    try {
      await write(`${JSON.stringify(header)}\n`);
      await produce(({ table, rows }) => write(rows.map((row) => `${JSON.stringify([table, row])}\n`).join("")));
      gzip.end();
    } catch (error) {
      gzip.destroy(error as Error);
    }
    await written;
  });

/** The header and the rows. Reading them throws `UnreadableFile`, at the latest at the end of the file. */
export async function readExport(file: string, passphrase: string) {
  const gunzip = createGunzip();
  // An error ends the stream that is read from.
  startPipeline(createReadStream(file), unseal(passphrase), gunzip, () => {});
  const lines = linesOf(gunzip.setEncoding("utf8"));
  const first = await lines.next();
  if (first.done) throw new UnreadableFile("it is empty");
  return { header: JSON.parse(first.value) as ExportHeader, rows: inBatches(lines) };
}

/** Not with `readline`, to which characters that JSON may contain end a line. */
async function* linesOf(text: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = "";
  for await (const piece of text) {
    const lines = (rest + piece).split("\n");
    rest = lines.pop()!;
    yield* lines;
  }
}

/** Rows of one table that follow one another. */
async function* inBatches(lines: AsyncIterable<string>): AsyncGenerator<MovedRows> {
  let batch: MovedRows = { table: "", rows: [] };
  for await (const line of lines) {
    const [table, row] = JSON.parse(line) as [string, MovedRow];
    if (batch.rows.length > 0 && (batch.table !== table || batch.rows.length === BATCH_SIZE)) {
      yield batch;
      batch = { table, rows: [] };
    }
    batch.table = table;
    batch.rows.push(row);
  }
  if (batch.rows.length > 0) yield batch;
}
