import type { Signer } from "../../engine/index.ts";

/** How long a link of a connect session may work. */
export const MAX_LINK_SECONDS = 7 * 86_400;

/**
 * The addresses of connect sessions. Each is signed instead of stored, so that the database alone does not reveal it.
 * The token is in the query, which no log contains.
 */
export function createConnectUrls(authUrl: string, signer: Signer) {
  return {
    of: (sessionId: string) =>
      `${authUrl}/connect?session=${sessionId}.${signer.signText("connect session", sessionId)}`,

    /** The id of the session that a token is for; undefined if the token is not genuine. */
    read(token: string): string | undefined {
      const [id = "", signature = ""] = token.split(".", 2);
      return signer.verifyText(signature, "connect session", id) ? id : undefined;
    },
  };
}

export type ConnectUrls = ReturnType<typeof createConnectUrls>;
