// What commands make of the answers of a Platform API whose address somebody has given.

/** Undefined if it is not JSON as the Platform API sends it, such as a page of another server. */
export function readAnswer(text: string) {
  try {
    const value = JSON.parse(text);
    return typeof value === "object" && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

export const keyRefused = (url: string) => new Error(`${url} does not accept the API key`);

export const noPlatformApi = (url: string) =>
  new Error(`there is no Platform API at ${url}: give its address, such as http://127.0.0.1:8080/platform`);
