// The sandbox's controls over HTTP: faults to inject, and the requests that reached the emulated providers.
import type { TestService } from "./service.ts";

type Target = Pick<TestService, "url">;

export interface InjectedFault {
  provider: string;
  path?: string;
  status?: number;
  delay_ms?: number;
  drop?: boolean;
  truncate?: boolean;
  retry_after?: number;
  expire_tokens?: boolean;
  revoke_tokens?: boolean;
  times?: number;
}

export interface SeenRequest {
  method: string;
  /** With its query. */
  path: string;
  headers: Record<string, string>;
}

export async function injectFault({ url }: Target, fault: InjectedFault): Promise<void> {
  const response = await fetch(`${url}/sandbox/_faults`, { method: "POST", body: JSON.stringify(fault) });
  if (!response.ok) throw new Error(await response.text());
}

export async function clearFaults({ url }: Target): Promise<void> {
  await fetch(`${url}/sandbox/_faults`, { method: "DELETE" });
}

export async function clearRequests({ url }: Target): Promise<void> {
  await fetch(`${url}/sandbox/_requests`, { method: "DELETE" });
}

/** Requests since the last `clearRequests`, to one provider or to all. */
export async function seenRequests({ url }: Target, provider?: string): Promise<SeenRequest[]> {
  const query = provider === undefined ? "" : `?provider=${provider}`;
  return (await fetch(`${url}/sandbox/_requests${query}`)).json() as Promise<SeenRequest[]>;
}

/** Requests that reached the provider while `work` ran, including those whose answer was a fault. */
export async function requestsDuring(
  service: Target,
  provider: string,
  work: () => Promise<unknown>,
): Promise<SeenRequest[]> {
  await clearRequests(service);
  await work();
  return seenRequests(service, provider);
}
