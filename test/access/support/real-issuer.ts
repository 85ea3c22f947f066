// A complete OpenID provider by another author, in this process: https://github.com/panva/node-oidc-provider
import { generateKeyPairSync, randomUUID } from "node:crypto";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import Provider from "oidc-provider";
import type { TestService } from "../../support/service.ts";
import { Browser, type Page } from "./browser.ts";

export const CLIENT = { id: "plugboard", secret: "a secret: with / signs + in it" };

export interface Account {
  name?: string;
  email?: string;
  email_verified?: boolean;
  groups?: string[];
  [claim: string]: unknown;
}

const newKey = () => ({
  ...generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey.export({ format: "jwk" }),
  kid: randomUUID(),
  use: "sig",
});

function logoutSource(context: { body: string }, form: string): void {
  context.body = `<!doctype html>${form}<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>`;
}

/** Without its advice for production. */
function quietly<Result>(work: () => Result): Result {
  const { warn } = console;
  console.warn = () => {};
  try {
    return work();
  } finally {
    console.warn = warn;
  }
}

interface IssuerOptions {
  /** Whether claims about a person are only in the userinfo endpoint's answers, and not in the ID token. */
  userinfoOnly?: boolean;
}

export async function startIssuer(accounts: Record<string, Account>, { userinfoOnly = false }: IssuerOptions = {}) {
  let serve: RequestListener = (_, response) => response.writeHead(503).end();
  /** Paths without their queries. */
  const requests: string[] = [];
  const server = createServer((request, response) => {
    requests.push(request.url!.split("?")[0]!);
    serve(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  let clientOf: object = {};

  /** Begins with new keys, as after a rotation that forgets the old ones. */
  function rotateKeys(): void {
    const configuration = {
      jwks: { keys: [newKey()] },
      clients: [clientOf],
      cookies: { keys: ["only for tests"] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      scopes: ["openid", "profile", "email", "groups"],
      claims: {
        openid: ["sub"],
        profile: ["name"],
        email: ["email", "email_verified"],
        groups: ["groups", "realm_access"],
      },
      conformIdTokenClaims: userinfoOnly,
      features: { devInteractions: { enabled: true }, rpInitiatedLogout: { enabled: true, logoutSource } },
      findAccount: (_: unknown, id: string) =>
        accounts[id] && { accountId: id, claims: () => ({ sub: id, ...accounts[id] }) },
      // Nobody is asked for a consent.
      async loadExistingGrant(context: any) {
        const { client, session, params } = context.oidc;
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope(params.scope);
        await grant.save();
        return grant;
      },
    };
    const provider = quietly(() => new Provider(url, configuration));
    serve = provider.callback();
  }

  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });

  return {
    url,
    requests,
    rotateKeys,
    /** The service's address is known after the issuer's. */
    register(dashboardUrl: string): void {
      clientOf = {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [`${dashboardUrl}/oidc/callback`],
        post_logout_redirect_uris: [`${dashboardUrl}/sign-in`],
      };
      rotateKeys();
    },
    /** From now on, no request is answered. */
    hang(): void {
      serve = () => {};
    },
    stop,
    close: stop,
  };
}

export type Issuer = Awaited<ReturnType<typeof startIssuer>>;

/** Settings of a service at which the issuer's people sign in. */
export const oidcEnv = ({ url }: Pick<Issuer, "url">, roles: string): Record<string, string> => ({
  OIDC_ISSUER: url,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_ROLES: roles,
});

/** Signs in with the button of the sign-in page, and returns the page at which that ends. */
export async function signInAs(
  { config }: Pick<TestService, "config">,
  login: string,
  { browser = new Browser(), next = "/dashboard" } = {},
): Promise<{ browser: Browser; page: Page }> {
  const start = await browser.open(`${config.dashboardUrl}/sign-in?next=${encodeURIComponent(next)}`);
  const [, button = ""] = /<a class="button primary" href="([^"]+)"/.exec(start.html) ?? [];
  const page = await browser.open(button.replaceAll("&amp;", "&"));
  return { browser, page: await proveWhoIs(browser, page, login) };
}

/** Fills in the issuer's form, if it asks who somebody is. */
export async function proveWhoIs(browser: Browser, page: Page, login: string): Promise<Page> {
  const [, action] = /<form[^>]*action="([^"]+)"/.exec(page.html) ?? [];
  if (!page.url.includes("/interaction/") || !action) return page;
  return browser.open(new URL(action, page.url).href, { form: { prompt: "login", login, password: "any" } });
}
