/** Parses a body by its content type; undefined if it is invalid JSON. */
export function readBody(contentType: string | undefined, bytes: Buffer): unknown {
  if (bytes.length === 0) return undefined;
  const text = bytes.toString();
  if (isJson(contentType)) {
    try {
      return JSON.parse(text);
    } catch {
      return undefined;
    }
  }
  if (contentType?.startsWith("application/x-www-form-urlencoded"))
    return Object.fromEntries(new URLSearchParams(text));
  return text;
}

export const isJson = (contentType: string | undefined) => contentType?.includes("json") ?? false;
