import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Coordination } from "../../../contracts/coordination.ts";
import { grantedWorkspaces, isAdmitted, type Person } from "../../../contracts/people.ts";
import type { Store } from "../../../contracts/store.ts";
import { type Engine, type OpenIdConnect, personActor, type Signer, SignInFailure } from "../../../engine/index.ts";
import { html } from "../../../runtime/html.ts";
import { newSessionToken } from "../../../runtime/ids.ts";
import { splitUrl } from "../../shared/split-url.ts";
import { BASE } from "../base.ts";
import { type SignIns, safeNext, signInEntry } from "./sign-in.ts";
import { createSignInFlows } from "./sign-in-flow.ts";
import type { Refusal } from "./sign-in-pages.ts";

export interface OidcRouteOptions {
  openIdConnect: OpenIdConnect;
  signIns: SignIns;
  store: Pick<Store, "change" | "workspaces">;
  refused: Engine["refused"];
  coordination: Coordination;
  dashboardUrl: string;
  signer: Signer;
}

const notBegun: Refusal = {
  status: 400,
  title: "This sign-in cannot be completed",
  message:
    "It was not begun in this browser, was begun again in another tab, was completed already, or took longer than 10 minutes.",
};

const whoIs = ({ name, email, subject }: Person): string =>
  name && email ? `${name} (${email})` : (name ?? email ?? subject);

function failed(error: unknown): Refusal {
  if (!(error instanceof SignInFailure)) throw error;
  const { reason, message } = error;
  if (reason === "unavailable")
    return {
      status: 503,
      title: "The identity provider is unavailable",
      message: `Nobody can sign in with it at the moment: ${message}. Please try again in a moment.`,
    };
  if (reason === "denied")
    return {
      status: 403,
      title: "You were not signed in",
      message: `The identity provider refused to sign you in, or you canceled it (${message}).`,
      otherAccount: true,
    };
  return {
    status: 502,
    title: "The identity provider's answer was refused",
    message: `You were not signed in, because its answer cannot be trusted: ${message}.`,
  };
}

/** Signs people in at the identity provider, and brings them back. */
export function oidcRoutes(app: FastifyInstance, options: OidcRouteOptions): void {
  const { openIdConnect, signIns, store, refused, coordination, dashboardUrl, signer } = options;
  const flows = createSignInFlows({ dashboardUrl, coordination, signer });
  const { settings } = openIdConnect;

  /** Why somebody who proved who they are is still not signed in. */
  function notAllowed(person: Person): Refusal {
    if (!isAdmitted(settings, person))
      return {
        status: 403,
        title: "Your account may not sign in here",
        message: html`You are signed in as <strong class="anywhere">${whoIs(person)}</strong>, but only people with a verified email address of ${settings.allowedDomains!.join(", ")} may use this dashboard.`,
        otherAccount: true,
      };
    return {
      status: 403,
      title: "You have no role here",
      message: html`You are signed in as <strong class="anywhere">${whoIs(person)}</strong>, but have no role in any workspace. Ask whoever runs Plugboard to give one of your groups a role (<code>OIDC_ROLES</code>), then sign in again.`,
      otherAccount: true,
    };
  }

  async function enter(request: FastifyRequest, reply: FastifyReply, person: Person, next: string) {
    const actor = personActor(person);
    const [first] = grantedWorkspaces(settings, person, await store.workspaces.list());
    if (!first) {
      // They may have had a role when they signed in before.
      await signIns.end(request, reply);
      const { id, ip } = request;
      const target = { kind: "dashboard", id: null };
      await refused({ workspace_id: null, actor, action: "dashboard.sign_in", target, request_id: id, ip });
      return signIns.refuse(request, reply, notAllowed(person));
    }
    const { token, hash } = newSessionToken();
    const session = { hash, workspace_id: first.workspace.id, person, expires_at: signIns.expiry() };
    await store.change(
      first.workspace.id,
      async ({ dashboard }) => {
        await dashboard.openPersonSession(session);
        return hash;
      },
      signInEntry(first.workspace.id, actor, request),
    );
    return signIns.succeed(request, reply, token, next);
  }

  // A GET, because browsers do not let a form of this page lead to another host. It also serves as the address at which
  // the identity provider's own page of applications starts a sign-in.
  app.get("/oidc/start", { config: { access: "public" } }, async (request, reply) => {
    const { next, prompt } = request.query as Record<string, unknown>;
    const target = safeNext(typeof next === "string" ? next : undefined);
    const flow = flows.begin(request, reply, target, BASE);
    try {
      const url = await openIdConnect.authorizationUrl(flow, prompt === "login" ? prompt : undefined);
      return reply.redirect(url, 303);
    } catch (error) {
      return signIns.refuse(request, reply, failed(error));
    }
  });

  app.get("/oidc/callback", { config: { access: "public" } }, async (request, reply) => {
    const parameters = new URLSearchParams(splitUrl(request.url)[1]);
    const flow = flows.current(request);
    // A request that is not the answer to this browser's sign-in must not end that sign-in.
    if (!flow || parameters.get("state") !== flow.state || !(await flows.use(flow, request, reply)))
      return signIns.refuse(request, reply, notBegun);
    let person: Person;
    try {
      person = await openIdConnect.person(parameters, flow);
    } catch (error) {
      return signIns.refuse(request, reply, failed(error));
    }
    return enter(request, reply, person, safeNext(flow.next));
  });

  app.get("/oidc/sign-out", { config: { access: "public" } }, async (_, reply) => {
    const url = await openIdConnect.endSessionUrl(`${dashboardUrl}/sign-in`).catch(() => undefined);
    return reply.redirect(url ?? `${BASE}/sign-in`, 303);
  });
}
