import { type Dispatcher, fetch } from "undici";
import { type NangoConnection, type NangoIntegration, NangoProblem, type NangoSource } from "./source.ts";

const PAGE_SIZE = 500;
/** At the same time. */
const PARALLEL = 4;
const TIMEOUT_MS = 60_000;
const MAX_RETRY_MS = 60_000;

interface ListedConnection {
  connection_id: string;
  provider_config_key: string;
  end_user?: { id: string } | null;
}

interface FullConnection extends ListedConnection {
  metadata: NangoConnection["metadata"];
  connection_config: NangoConnection["config"] | null;
  credentials: NangoConnection["credentials"];
  created_at: string;
  updated_at: string;
}

type Answer<Body> = { status: 200; body: Body } | { status: number; body: undefined };

/** Reads from the API of one environment: https://nango.dev/docs/reference/api */
export function nangoApi(address: string, secretKey: string, dispatcher: Dispatcher): NangoSource {
  async function get<Body>(path: string, query: Record<string, string> = {}): Promise<Answer<Body>> {
    const url = new URL(address.replace(/\/*$/, path));
    url.search = new URLSearchParams(query).toString();
    for (;;) {
      const response = await fetch(url, {
        headers: { authorization: `Bearer ${secretKey}` },
        redirect: "error",
        signal: AbortSignal.timeout(TIMEOUT_MS),
        dispatcher,
      }).catch((error: Error) => {
        throw new NangoProblem(`Nango at ${url.origin} cannot be reached`, { cause: error.cause ?? error });
      });
      if (response.status === 200) return { status: 200, body: (await response.json().catch(notNango)) as Body };
      await response.body?.cancel();
      if (response.status !== 429) return { status: response.status, body: undefined };
      const seconds = Number(response.headers.get("retry-after")) || 1;
      await new Promise((resolve) => setTimeout(resolve, Math.min(seconds * 1000, MAX_RETRY_MS)));
    }
  }

  /** Nango's own pages answer every path with HTML. */
  const notNango = (error: Error) => {
    const message = `${address} is not the API of Nango: give its address, such as https://api.nango.dev`;
    throw error instanceof SyntaxError ? new NangoProblem(message) : error;
  };

  /** For what an import cannot do without. */
  async function getRequired<Body>(path: string, query?: Record<string, string>): Promise<Body> {
    const { status, body } = await get<Body>(path, query);
    if (body !== undefined) return body;
    const hint = status === 401 || status === 403 ? ": check NANGO_SECRET_KEY, and that it may read credentials" : "";
    throw new NangoProblem(`Nango answered GET ${path} with ${status}${hint}`);
  }

  async function readConnection(
    { connection_id, provider_config_key, end_user }: ListedConnection,
    report: (connectionId: string, reason: string) => void,
  ): Promise<NangoConnection | undefined> {
    // Nango refreshes a token that has expired, and leaves the refresh token out unless asked for it.
    const query = { provider_config_key, refresh_token: "true" };
    const { status, body } = await get<FullConnection>(`/connections/${encodeURIComponent(connection_id)}`, query);
    if (!body) {
      const next = status >= 500 ? "import again when it works" : "its user has to connect again";
      report(connection_id, `Nango answers ${status} for it; ${next}`);
      return undefined;
    }
    return {
      connection_id,
      integration: provider_config_key,
      end_user_id: (body.end_user ?? end_user)?.id ?? null,
      metadata: body.metadata,
      config: body.connection_config ?? {},
      credentials: body.credentials,
      created_at: body.created_at,
      updated_at: body.updated_at,
    };
  }

  return {
    async integrations() {
      type Listed = { unique_key: string; provider: string; display_name: string | null; created_at: string };
      const { data } = await getRequired<{ data: Listed[] }>("/integrations");
      return Promise.all(
        data.map(async ({ unique_key, provider, display_name, created_at }): Promise<NangoIntegration> => {
          type Full = { credentials: Pick<NangoIntegration, "client_id" | "client_secret" | "scopes"> | null };
          const path = `/integrations/${encodeURIComponent(unique_key)}`;
          const { credentials } = (await getRequired<{ data: Full }>(path, { include: "credentials" })).data;
          const { client_id = null, client_secret = null, scopes = null } = credentials ?? {};
          return { key: unique_key, provider, name: display_name, client_id, client_secret, scopes, created_at };
        }),
      );
    },

    async *connections(report) {
      for (let page = 0; ; page += 1) {
        const query = { limit: String(PAGE_SIZE), page: String(page) };
        const { connections } = await getRequired<{ connections: ListedConnection[] }>("/connections", query);
        for (let first = 0; first < connections.length; first += PARALLEL) {
          const some = connections.slice(first, first + PARALLEL);
          const read = await Promise.all(some.map((connection) => readConnection(connection, report)));
          yield* read.filter((connection) => connection !== undefined);
        }
        if (connections.length < PAGE_SIZE) return;
      }
    },

    close: () => dispatcher.close(),
  };
}
