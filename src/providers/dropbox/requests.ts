import { fileRequest, get, type UpstreamRequest } from "../../provider-kit/index.ts";

/** An API function without arguments: any body would be refused. */
const callWithoutArguments = (path: string): UpstreamRequest => ({ ...get(path), method: "POST" });

export const getCurrentAccount = (): UpstreamRequest => ({
  ...callWithoutArguments("/users/get_current_account"),
  readOnly: true,
});
export const revokeToken = () => callWithoutArguments("/auth/token/revoke");

/**
 * JSON for a header, which must be ASCII: everything else is escaped.
 * https://www.dropbox.com/developers/reference/json-encoding
 */
export const headerJson = (value: object): string =>
  JSON.stringify(value).replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);

/**
 * API functions that return or receive a file's bytes are on another host, with their arguments in a header.
 * https://www.dropbox.com/developers/documentation/http/documentation#formats
 */
const withArguments = (args: object) => ({ to: "content", headers: { "dropbox-api-arg": headerJson(args) } });

/** Only with GET, `If-None-Match` is honored. */
export const getContent = (path: string, args: object) => get(path, {}, {}, withArguments(args));
export const postContent = (path: string, args: object) => fileRequest("POST", path, {}, withArguments(args));
