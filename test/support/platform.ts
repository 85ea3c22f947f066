import type { TestService } from "./service.ts";

export interface Answer {
  status: number;
  headers: Headers;
  text: string;
  body: any;
}

export type Platform = ReturnType<typeof createPlatform>;

/** A client of the Platform API. A body that is a string goes out as it is. */
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
