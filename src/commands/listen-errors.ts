import { ConfigError } from "../config/index.ts";

type ListenAddress = { host: string; port: number };

/** Which variable to change, by the code of the error. */
const descriptions: Record<string, (address: ListenAddress) => string> = {
  EADDRINUSE: ({ host, port }) =>
    `PORT: ${port} is already in use on ${host}. Stop the process that uses it, or choose another port`,
  EACCES: ({ port }) => `PORT: this process is not allowed to listen on ${port}. Choose a port from 1024 on`,
  EADDRNOTAVAIL: ({ host }) => `HOST: ${host} is not an address of this machine`,
  ENOTFOUND: ({ host }) => `HOST: there is no address for the name ${host}. Give a name or an address of this machine`,
  EAI_AGAIN: ({ host }) => `HOST: the name ${host} cannot be resolved for now. Give an address of this machine`,
};

/** Turns a failure to listen into one line that names the variable. */
export function rethrowListenError(error: unknown, address: ListenAddress): never {
  const { code = "" } = error as NodeJS.ErrnoException;
  const describe = Object.hasOwn(descriptions, code) ? descriptions[code] : undefined;
  throw describe ? new ConfigError([`${describe(address)} (${code})`]) : error;
}
