import { describe, expect, it } from "vitest";
import { ConfigError } from "../config/index.ts";
import { rethrowListenError } from "./listen-errors.ts";

const address = { host: "not_a_host", port: 8080 };
const failure = (code: string) => Object.assign(new Error(`listen ${code}`), { code });

describe("a failure to listen", () => {
  it.each([
    ["EADDRINUSE", "PORT: 8080 is already in use on not_a_host."],
    ["EACCES", "PORT: this process is not allowed to listen on 8080."],
    ["EADDRNOTAVAIL", "HOST: not_a_host is not an address of this machine"],
    ["ENOTFOUND", "HOST: there is no address for the name not_a_host."],
    ["EAI_AGAIN", "HOST: the name not_a_host cannot be resolved for now."],
  ])("%s becomes one line that names the variable", (code, beginning) => {
    expect(() => rethrowListenError(failure(code), address)).toThrow(ConfigError);
    try {
      rethrowListenError(failure(code), address);
    } catch (error) {
      const [line, ...others] = (error as ConfigError).lines;
      expect(line).toMatch(new RegExp(`^${RegExp.escape(beginning)}[^\\n]*\\(${code}\\)$`));
      expect(others).toEqual([]);
    }
  });

  it.each(["EMFILE", "constructor", ""])("any other failure (%j) is left as it is", (code) => {
    const error = failure(code);
    expect(() => rethrowListenError(error, address)).toThrow(error);
  });
});
