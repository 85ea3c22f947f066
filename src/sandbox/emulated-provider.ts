import type { KeyObject } from "node:crypto";
import { randomUUID } from "node:crypto";
import type { AuthType, Credentials } from "../contracts/authentication.ts";
import type { Emulator, LazyEmulator } from "../contracts/emulator.ts";
import type { Provider } from "../contracts/provider.ts";
import { ACCOUNT, createEmulatedApi, type EmulatedApi } from "./emulated-api.ts";
import { createHookSender } from "./hook-sender.ts";
import { createInjectedFaults } from "./injected-faults.ts";
import { createRequestRecorder } from "./request-recorder.ts";
import { createTokens } from "./tokens.ts";

/** Credentials and settings of a ready-made connection. */
export interface ReadyCredentials {
  credentials: Credentials;
  settings: Record<string, string>;
  /** In seconds; absent if the token does not expire. */
  expires_in?: number;
}

interface EmulatedProviderOptions {
  provider: Provider;
  emulator: Emulator | LazyEmulator;
  secret: KeyObject;
  tokenLifetime: number | undefined;
  callbackUrl: string | undefined;
}

/** One emulated provider: its tokens, injected faults and recorded requests, and its API, which may be loaded later. */
export function createEmulatedProvider({
  provider: { manifest },
  emulator,
  secret,
  tokenLifetime,
  callbackUrl,
}: EmulatedProviderOptions) {
  const { oauth2, api_key, basic } = manifest.auth;
  const settings = emulator.settings ?? {};
  const acceptMadeUpKeys = Boolean(api_key ?? basic);
  // A token of a shared login is valid at all of its providers.
  const issuer = oauth2?.login ?? manifest.id;
  const tokens = createTokens({ secret, provider: issuer, account: ACCOUNT, acceptMadeUpKeys });
  let lifetimeOverride = tokenLifetime;
  const lifetime = () => lifetimeOverride;

  const create = (loaded: Emulator) => createEmulatedApi({ manifest, emulator: loaded, tokens, lifetime, callbackUrl });
  let api = "load" in emulator ? undefined : Promise.resolve(create(emulator));

  return {
    /** Loaded with the first call. */
    api(): Promise<EmulatedApi> {
      api ??= (emulator as LazyEmulator).load().then(create);
      return api;
    },
    manifest,
    close: async () => (await api)?.closeMcp(),
    injectedFaults: createInjectedFaults(),
    hookSender: createHookSender(),
    requestRecorder: createRequestRecorder(manifest.id),
    expireTokens: tokens.expireAccessTokens,
    revokeTokens: tokens.revokeAll,
    setTokenLifetime(seconds: number | undefined): void {
      lifetimeOverride = seconds ?? tokenLifetime;
    },

    credentials(type: AuthType): ReadyCredentials {
      if (!manifest.auth[type]) throw new Error(`${manifest.id} has no auth type "${type}"`);
      if (type === "api_key") return { credentials: { token: tokens.issue("key") }, settings };
      if (type === "basic")
        return { credentials: { username: "sandbox@example.com", password: tokens.issue("key") }, settings };
      if (type !== "oauth2") throw new Error(`${manifest.id}: connect with the type "${type}" to get credentials`);
      const seconds = lifetime() ?? oauth2?.lifetime;
      const grant = randomUUID();
      return {
        credentials: {
          token: tokens.issue("access", { grant, lifetime: seconds }),
          refresh_token: tokens.issue("refresh", { grant }),
        },
        settings,
        ...(seconds === undefined ? {} : { expires_in: seconds }),
      };
    },
  };
}

export type EmulatedProvider = ReturnType<typeof createEmulatedProvider>;
