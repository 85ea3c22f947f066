import type { RevocationRequest } from "../contracts/manifest.ts";
import type { Provider } from "../contracts/provider.ts";
import type { Connection, Integration } from "../contracts/records.ts";
import { goLive } from "./live.ts";
import type { Transport, TransportRequest } from "./transport.ts";
import { queryString } from "./upstream.ts";

export type Revocation = "revoked" | "unsupported" | "failed" | "timed_out";

const LONGEST_MS = 5_000;

/** Tells the provider that a token is no longer wanted: best effort, in bounded time. It never throws. */
export function createRevoker(
  transport: Transport,
  providers: ReadonlyMap<string, Provider>,
  sandboxUrl: string | undefined,
) {
  function prepare(connection: Connection, integration: Integration): TransportRequest | undefined {
    const provider = providers.get(integration.identifier);
    const revoke = provider?.manifest.auth.oauth2?.revoke;
    if (!provider || !revoke || integration.type !== "oauth2") return undefined;
    const live = goLive(provider, connection, integration, sandboxUrl);
    const client_id = integration.client_id ?? "";
    const client_secret = integration.client_secret ?? "";
    const asClient = { authorization: `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString("base64")}` };
    const { credentials } = connection;

    if (typeof revoke === "function") {
      const request: RevocationRequest = revoke({ credentials, client_id, client_secret });
      const { origin, path } = live.address(request.to);
      return {
        origin,
        path: `${path}${request.path}${queryString(request.query, request.fixed)}`,
        method: request.method,
        headers: {
          "user-agent": "plugboard",
          accept: "application/json",
          ...(request.body ? { "content-type": "application/json; charset=utf-8" } : {}),
          ...request.headers,
          ...(request.as === "client" ? asClient : live.authorization.headers),
        },
        ...(request.body ? { body: JSON.stringify(request.body) } : {}),
      };
    }
    // RFC 7009. The refresh token where there is one: revoking it ends the access tokens made from it, too.
    const { origin, path } = live.address(revoke.address);
    const basic = provider.manifest.auth.oauth2?.tokenRequestAuth === "basic";
    const fields = new URLSearchParams({ token: credentials.refresh_token ?? credentials.token ?? "" });
    fields.set("token_type_hint", credentials.refresh_token ? "refresh_token" : "access_token");
    if (!basic) {
      fields.set("client_id", client_id);
      fields.set("client_secret", client_secret);
    }
    return {
      origin,
      path: path || "/",
      method: "POST",
      headers: {
        "user-agent": "plugboard",
        accept: "application/json",
        "content-type": "application/x-www-form-urlencoded",
        ...(basic ? asClient : {}),
      },
      body: fields.toString(),
    };
  }

  return async function revoke(connection: Connection, integration: Integration): Promise<Revocation> {
    const signal = AbortSignal.timeout(LONGEST_MS);
    try {
      const request = prepare(connection, integration);
      if (!request) return "unsupported";
      const response = await transport.request({ ...request, signal });
      await response.body.dump();
      return response.statusCode < 300 ? "revoked" : "failed";
    } catch {
      return signal.aborted ? "timed_out" : "failed";
    }
  };
}
