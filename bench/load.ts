// The load generator: keep-alive connections on raw sockets, each with one request under way. It reads no more of an
// answer than it must to know where it ends, so that the cost measured is the server's and not the client's.
import { connect, type Socket } from "node:net";

export interface LoadOrder {
  port: number;
  concurrency: number;
  milliseconds: number;
  /** Whole requests, to the last byte, made at random. */
  requests: string[];
  /** Makes them in turn, and goes on beyond its time until each was made once. */
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

/** Watches one socket's bytes and tells when an answer is whole. */
function createReader(done: (status: number) => void) {
  let head: Buffer = Buffer.alloc(0);
  let left = -1;
  let chunked = false;
  let tail: Buffer = Buffer.alloc(0);
  let status = 0;
  return function read(chunk: Buffer): void {
    let data = chunk;
    if (left < 0 && !chunked) {
      head = head.length === 0 ? chunk : Buffer.concat([head, chunk]);
      const end = head.indexOf(HEADER_END);
      if (end < 0) return;
      const text = head.toString("latin1", 0, end).toLowerCase();
      status = Number(text.slice(9, 12));
      const length = /\r\ncontent-length: *(\d+)/.exec(text);
      data = head.subarray(end + 4);
      head = Buffer.alloc(0);
      if (length) left = Number(length[1]);
      else if (text.includes("transfer-encoding: chunked")) chunked = true;
      else left = 0;
    }
    if (chunked) {
      tail = Buffer.concat([tail, data]).subarray(-CHUNKED_END.length);
      if (!tail.equals(CHUNKED_END)) return;
      tail = Buffer.alloc(0);
      chunked = false;
      done(status);
      return;
    }
    left -= data.length;
    if (left > 0) return;
    left = -1;
    done(status);
  };
}

function run(order: LoadOrder): Promise<LoadResult> {
  const payloads = order.requests.map((text) => Buffer.from(text));
  const times: number[] = [];
  let failures = 0;
  const started = performance.now();
  const deadline = started + order.milliseconds;

  let made = 0;
  const next = () => payloads[order.each ? made++ % payloads.length : Math.floor(Math.random() * payloads.length)]!;

  const worker = () =>
    new Promise<void>((resolve) => {
      let sentAt = 0;
      const socket: Socket = connect(order.port, "127.0.0.1");
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
          if (now < deadline || (order.each && made < payloads.length)) send();
          else socket.end();
        }),
      );
    });

  return Promise.all(Array.from({ length: order.concurrency }, worker)).then(() => {
    const seconds = (performance.now() - started) / 1000;
    times.sort((one, other) => one - other);
    const quantile = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
    return { requests: times.length, seconds, p50: quantile(0.5), p99: quantile(0.99), failures };
  });
}

process.on("message", async (order: LoadOrder) => process.send!(await run(order)));
process.send!({ ready: true });
