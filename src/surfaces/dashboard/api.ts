import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { inProcessHeader } from "../shared/in-process.ts";

/** What an API answered. */
export interface ApiAnswer<Body = unknown> {
  status: number;
  headers: Record<string, string | string[] | number | undefined>;
  /** Parsed if it is JSON, otherwise text. */
  body: Body;
}

/** An API refused a call. */
export class ApiError extends Error {
  readonly status: number;
  /** By field, as the Platform API reports them. */
  readonly fields: Record<string, string[]>;

  constructor({ status, body }: ApiAnswer) {
    const { message = `The API answered ${status}`, errors } = (body ?? {}) as {
      message?: string;
      errors?: Record<string, string[]>;
    };
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.fields = errors && !Array.isArray(errors) ? errors : {};
  }
}

/** A problem of a form's field that the API never sees, because the value cannot be sent. */
export const fieldError = (name: string, message: string): ApiError =>
  new ApiError({ status: 400, headers: {}, body: { message: "Invalid request", errors: { [name]: [message] } } });

/** Does what a form asks for. What is wrong with its fields, or has one of the statuses, is returned; every other error is thrown. */
export async function problemsOf(
  work: () => Promise<unknown>,
  statuses: readonly number[] = [400],
): Promise<ApiError | undefined> {
  try {
    await work();
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && statuses.includes(error.status)) return error;
    throw error;
  }
}

/** Reads a list by what somebody typed into its filters; if the API refuses a filter, an empty one and the problems. */
export async function readFiltered<Result>(
  read: () => Promise<Result>,
  none: Result,
): Promise<{ result: Result; problems: Record<string, string[]> }> {
  let result = none;
  const problem = await problemsOf(async () => {
    result = await read();
  });
  return { result, problems: problem?.fields ?? {} };
}

export type ApiQuery = Record<string, string | number | boolean | undefined>;

export interface ApiCall {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** Such as `/platform/v1/connections`. */
  path: string;
  query?: ApiQuery | undefined;
  headers?: Record<string, string>;
  body?: unknown;
  /** How much of the answer is read, of one that may be of any size. */
  maxBytes?: number;
}

/**
 * Our own APIs, called in this process with the session's token: what a page shows is what the API returns to this
 * workspace, and no rule exists twice.
 */
export interface Api {
  /** The answer, whatever its status. */
  call<Body = unknown>(call: ApiCall): Promise<ApiAnswer<Body>>;
  /** The whole answer of a success; everything else is an `ApiError`. */
  read<Body>(path: string, query?: ApiQuery): Promise<ApiAnswer<Body>>;
  /** Its body. */
  get<Body>(path: string, query?: ApiQuery): Promise<Body>;
  send<Body = unknown>(method: "POST" | "PATCH" | "DELETE", path: string, body?: unknown): Promise<Body>;
}

/** No surface can have this host, so no path is rewritten: see `hosts` of the configuration. */
const HOST = "dashboard.invalid";

/** A path with a query, of which empty values are left out. */
export function withQuery(path: string, query: ApiQuery = {}): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query))
    if (value !== undefined && value !== "") given.set(name, String(value));
  return given.size === 0 ? path : `${path}?${given}`;
}

/** `request` is the browser's: whoever reads the audit log wants to know where that was. */
export function createApi(app: FastifyInstance, token: string, request: Pick<FastifyRequest, "ip" | "id">): Api {
  async function call<Body>({ method, path, query, headers, body, maxBytes }: ApiCall): Promise<ApiAnswer<Body>> {
    const response = await app.inject({
      method,
      url: withQuery(path, query),
      remoteAddress: request.ip,
      headers: {
        "x-request-id": request.id,
        host: HOST,
        ...inProcessHeader,
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      payloadAsStream: true,
    });
    const text = await readText(response.stream(), maxBytes);
    return { status: response.statusCode, headers: response.headers, body: parse(text) as Body };
  }

  async function succeed<Body>(wanted: ApiCall): Promise<ApiAnswer<Body>> {
    const answer = await call<Body>(wanted);
    if (answer.status >= 400) throw new ApiError(answer);
    return answer;
  }

  return {
    call,
    read: (path, query) => succeed({ method: "GET", path, query }),
    get: async <Body>(path: string, query?: ApiQuery) => (await succeed<Body>({ method: "GET", path, query })).body,
    send: async <Body>(method: ApiCall["method"], path: string, body?: unknown) =>
      (await succeed<Body>({ method, path, body })).body,
  };
}

async function readText(stream: Readable, maxBytes = Number.POSITIVE_INFINITY): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of stream) {
    chunks.push(chunk);
    bytes += chunk.length;
    // Leaving the loop ends the stream.
    if (bytes > maxBytes) break;
  }
  return Buffer.concat(chunks).subarray(0, maxBytes).toString();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
