import { keyRefused, noPlatformApi, readAnswer } from "../platform-answer.ts";
import type { Fields, Kind } from "./kinds.ts";

const PAGE_SIZE = 100;
const TIMEOUT_MS = 60_000;

/** The service does not accept something that it was sent. */
export class Refusal extends Error {
  /** Messages by field, if it says so. */
  readonly errors: Record<string, string[]>;

  constructor(message: string, errors: Record<string, string[]> = {}) {
    super(message);
    this.errors = errors;
  }
}

export type PlatformApi = ReturnType<typeof createPlatformApi>;

/** The Platform API of a running Plugboard. */
export function createPlatformApi(url: string, key: string) {
  async function call(method: string, path: string, body?: unknown): Promise<unknown> {
    let response: Response;
    let text: string;
    try {
      response = await fetch(url + path, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      text = await response.text();
    } catch (error) {
      throw new Error(`${url} does not answer`, { cause: (error as Error).cause ?? error });
    }
    const answer = readAnswer(text);
    if (response.ok && answer !== undefined) return answer;
    const { message = `status ${response.status}`, errors } = (answer ?? {}) as {
      message?: string;
      errors?: Record<string, string[]>;
    };
    if (response.status === 401) throw keyRefused(url);
    if (answer === undefined || (response.status === 404 && method === "GET")) throw noPlatformApi(url);
    if ([400, 404, 409, 413].includes(response.status)) throw new Refusal(message, errors);
    throw new Error(`${method} ${url}${path}: ${message}`);
  }

  return {
    url,
    /** An earlier version would ignore that it is a dry run. */
    async assertDryRuns(): Promise<void> {
      const { paths } = (await call("GET", "/openapi.json")) as { paths?: Record<string, Fields> };
      if (!JSON.stringify(paths?.["/v1/integrations"] ?? "").includes('"dry_run"'))
        throw new Error(`${url} is a Plugboard that is too old for this command: upgrade it first`);
    },
    get: (path: string) => call("GET", path) as Promise<Fields>,
    /** All entries of a list, also of one that is returned whole. */
    async list({ path, isPaged }: Kind): Promise<Fields[]> {
      if (!isPaged) return (await call("GET", path)) as Fields[];
      const all: Fields[] = [];
      for (let page: Fields[] | undefined; page === undefined || page.length === PAGE_SIZE; all.push(...page)) {
        const after = all.length > 0 ? `&after=${all.at(-1)!.id}` : "";
        page = (await call("GET", `${path}?limit=${PAGE_SIZE}${after}`)) as Fields[];
      }
      return all;
    },
    send: (method: "POST" | "PATCH" | "DELETE", path: string, body?: Fields) =>
      call(method, path, body) as Promise<Fields>,
    /** What the answer would be. */
    dryRun: (method: "POST" | "PATCH", path: string, body: Fields) =>
      call(method, `${path}?dry_run=true`, body) as Promise<Fields>,
  };
}
