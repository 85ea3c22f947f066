import { once } from "node:events";
import { connect } from "node:net";

/** Writes bytes to a socket unchanged and returns everything that comes back until the other end closes. */
export async function rawRequest(port: number, text: string | Buffer, { waitMs = 2_000 } = {}): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let received = "";
  socket.setTimeout(waitMs, () => socket.destroy());
  socket.on("data", (chunk) => {
    received += chunk.toString("latin1");
  });
  socket.on("error", () => {});
  socket.write(text);
  await once(socket, "close");
  return received;
}
