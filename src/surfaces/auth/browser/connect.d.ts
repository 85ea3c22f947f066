/** How a connect session ended. */
export type ConnectResult =
  | {
      status: "connected";
      connection_id: string;
      integration_id: string;
      /** The provider's id, such as `github`. */
      integration_identifier: string;
    }
  | {
      status: "failed";
      /** `access_denied`, `closed`, `popup_blocked`, `aborted`, or another code that the connect flow ends with. */
      error: string;
      error_description: string;
    };

/**
 * Opens the pop-up of a connect session and resolves with its result. Call it directly in a click handler, or the browser
 * blocks the pop-up.
 *
 * @param url The `url` of a connect session without `redirect_uri`, or a promise of it.
 */
export function connect(url: string | Promise<string>, options?: { signal?: AbortSignal }): Promise<ConnectResult>;
