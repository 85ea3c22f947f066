// The load generator if wrk is not installed: keep-alive connections on raw sockets, each with one request in progress. It parses just enough of
// a response to find its end, so that the measured cost is the server's and not the client's.
import { connect, type Socket } from "node:net";

export interface LoadOptions {
  port: number;
  concurrency: number;
  milliseconds: number;
  /** Complete requests as bytes on the wire, chosen at random. */
  requests: string[];
  /** Sends them in turn, and continues past the time limit until each was sent once. */
  each?: boolean;
}

export interface LoadResult {
  requests: number;
  seconds: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  failures: number;
}

const HEADER_END = Buffer.from("\r\n\r\n");
const CHUNKED_END = Buffer.from("0\r\n\r\n");

/** Reads the bytes of one socket and calls `done` at the end of each response. */
function createReader(done: (status: number) => void) {
  let head: Buffer = Buffer.alloc(0);
  let remaining = -1;
  let chunked = false;
  let tail: Buffer = Buffer.alloc(0);
  let status = 0;
  return function read(chunk: Buffer): void {
    let data = chunk;
    if (remaining < 0 && !chunked) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEADER_END);
      if (end < 0) return;
      const text = head.toString("latin1", 0, end).toLowerCase();
      status = Number(text.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/.exec(text);
      data = head.subarray(end + 4);
      head = Buffer.alloc(0);
      if (length) remaining = Number(length[1]);
      else if (text.includes("transfer-encoding: chunked")) chunked = true;
      else remaining = 0;
    }
    if (chunked) {
      tail = Buffer.concat([tail, data]).subarray(-CHUNKED_END.length);
      if (!tail.equals(CHUNKED_END)) return;
      tail = Buffer.alloc(0);
      chunked = false;
      done(status);
      return;
    }
    remaining -= data.length;
    if (remaining > 0) return;
    remaining = -1;
    done(status);
  };
}

function run(options: LoadOptions): Promise<LoadResult> {
  const payloads = options.requests.map((text) => Buffer.from(text));
  const times: number[] = [];
  let failures = 0;
  const started = performance.now();
  const deadline = started + options.milliseconds;

  let sent = 0;
  const next = () => payloads[options.each ? sent++ % payloads.length : Math.floor(Math.random() * payloads.length)]!;

  const worker = () =>
    new Promise<void>((resolve) => {
      let sentAt = 0;
      const socket: Socket = connect(options.port, "127.0.0.1");
      socket.setNoDelay(true);
      const send = () => {
        sentAt = performance.now();
        socket.write(next());
      };
      socket.on("connect", send);
      socket.on("error", () => {
        failures++;
        resolve();
      });
      socket.on("close", () => resolve());
      socket.on(
        "data",
        createReader((status) => {
          const now = performance.now();
          times.push(now - sentAt);
          if (status !== 200) failures++;
          if (now < deadline || (options.each && sent < payloads.length)) send();
          else socket.end();
        }),
      );
    });

  return Promise.all(Array.from({ length: options.concurrency }, worker)).then(() => {
    const seconds = (performance.now() - started) / 1000;
    times.sort((one, other) => one - other);
    const quantile = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
    return { requests: times.length, seconds, p50: quantile(0.5), p99: quantile(0.99), failures };
  });
}

process.on("message", async (options: LoadOptions) => process.send!(await run(options)));
process.send!({ ready: true });
