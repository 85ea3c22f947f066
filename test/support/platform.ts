import type { TestService } from "./service.ts";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: any;
}

export type Platform = ReturnType<typeof createPlatform>;

/** A client of the Platform API. Paths include the version; a body that is a string is sent as is. */
export function createPlatform({ url }: Pick<TestService, "url">, key: string | undefined) {
  return async function call(
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    const response = await fetch(`${url}/platform${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    let parsed: unknown;
    try {
      parsed = JSON.parse(text);
    } catch {}
    return { status: response.status, headers: response.headers, text, body: parsed };
  };
}

export type StrictPlatform = ReturnType<typeof createStrictPlatform>;

/** The same for calls that have to succeed: throws on an error status and returns the body. Paths start below `/v1`. */
export function createStrictPlatform(service: Pick<TestService, "url">, key: string) {
  const call = createPlatform(service, key);
  return async function callOrThrow(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await call(method, `/v1${path}`, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body;
  };
}
