// Preloaded into programs that must call nothing but this machine: the first other call ends them, and is reported.
import net from "node:net";

const OWN = ["127.0.0.1", "localhost", "::1"];
const { connect } = net.Socket.prototype;

net.Socket.prototype.connect = function (this: net.Socket, ...args: unknown[]) {
  const [first, second] = args.flat() as [unknown, unknown];
  const options = typeof first === "object" ? first : { host: second };
  const { host = "localhost", path } = options as { host?: string; path?: string };
  if (path === undefined && !OWN.includes(host)) {
    console.error(`called ${host}`);
    process.exit(1);
  }
  return Reflect.apply(connect, this, args);
};
