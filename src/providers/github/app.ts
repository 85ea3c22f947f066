import { get, type IssuedTokens, remove, signJwt, type Upstream } from "../../provider-kit/index.ts";

// Only the fields that are read here.
interface Installation {
  id: number;
  account?: { id: number; login?: string; slug?: string } | null;
}

const PAGE_SIZE = 100;
const MAX_PAGES = 100;
/** GitHub accepts no more, counted from `iat`. */
const JWT_SECONDS = 600;

/**
 * Anybody can write any installation's number into the redirect, so it has to be one of the user's.
 * https://docs.github.com/en/apps/creating-github-apps/registering-a-github-app/about-the-setup-url
 */
async function prove(upstream: Upstream, redirect: URLSearchParams) {
  const [id = "", ...others] = redirect.getAll("installation_id");
  if (others.length > 0 || !/^\d{1,20}$/.test(id)) return undefined;
  for (let page = 1; page <= MAX_PAGES; page++) {
    const request = get("/user/installations", {}, { per_page: PAGE_SIZE, page });
    const { installations } = (await upstream<{ installations: Installation[] }>(request)).body;
    const found = installations.find((one) => String(one.id) === id);
    if (found) {
      const { account } = found;
      const name = account?.login ?? account?.slug ?? null;
      return {
        settings: { installation_id: id },
        account: { id: account ? String(account.id) : null, name, email: null },
      };
    }
    if (installations.length < PAGE_SIZE) return undefined;
  }
  return undefined;
}

/** A GitHub App, to which tokens are issued for each account that it is installed on. */
export const githubApp: IssuedTokens = {
  asks: {},
  help: "https://github.com/settings/apps",
  steps: [
    "Select **New GitHub App**, and choose the permissions that your product needs.",
    "Enter the redirect URL as **Callback URL**, and select **Request user authorization (OAuth) during installation**: without it, nobody can prove whose installation it is. Turn **Webhook** off.",
    "Under **Where can this GitHub App be installed?**, select **Any account**, and create it.",
    "Copy the client ID, generate a client secret and a private key, and copy the app's name from the address of its public page: `github.com/apps/<name>`.",
  ],
  needs: ["client_id", "client_secret", "private_key"],
  installation: { page: "install", prove },
  // https://docs.github.com/en/rest/apps/apps#create-an-installation-access-token-for-an-app
  issue({ settings, client_id, private_key, now }) {
    const claims = { iss: client_id ?? "" };
    const { jwt } = signJwt({ algorithm: "RS256", claims, lifetime: JWT_SECONDS }, private_key ?? "", now);
    const path = `/app/installations/${settings.installation_id}/access_tokens`;
    return { request: { method: "POST", to: "api", path, headers: { authorization: `Bearer ${jwt}` } } };
  },
  readToken: (body) => {
    const { token, expires_at } = body as { token: string; expires_at: string };
    return { access_token: token, expires_in: (Date.parse(expires_at) - Date.now()) / 1000 };
  },
  // Suspended or removed. 401 is about the app's own key, which connecting again would not change.
  refusedBy: [403, 404],
  // https://docs.github.com/en/rest/apps/installations#revoke-an-installation-access-token
  revoke: () => remove("/installation/token"),
};
