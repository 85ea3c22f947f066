import { type Html, html } from "../../../runtime/html.ts";
import type { ConnectSessionRecord } from "../../shared/platform-records/connect-session.ts";
import type { IntegrationRecord } from "../../shared/platform-records/integration.ts";
import { type ApiError, problemsOf } from "../api.ts";
import { field, problemOf, problemSummary } from "../components/fields.ts";
import type { DashboardPage } from "../components/layout.ts";
import { lifetimeField, readLifetime } from "../components/link-lifetime.ts";
import { providerNames } from "../components/lists.ts";
import { empty, head } from "../components/ui.ts";
import type { PageVisit, Routes } from "../routes.ts";
import { connectLink } from "./connection.ts";
import { typeName } from "./integrations.ts";

const labels = { integrations: "Provider", external_id: "External id" };
const NEEDS_ADMIN = "Somebody with the role admin can add one from the catalogue.";
/** More would not be chosen from a list. */
const MAX_LISTED = 100;

interface ConnectPageState {
  sent?: URLSearchParams;
  problem?: ApiError | undefined;
  result?: Html;
}

/** A link with which somebody connects an account: for a user, or to try it. */
export function connectRoutes(routes: Routes): void {
  async function show(visit: PageVisit, { sent, problem, result }: ConnectPageState = {}): Promise<DashboardPage> {
    const [integrations, names] = await Promise.all([
      visit.api.get<IntegrationRecord[]>("/platform/v1/integrations", { limit: MAX_LISTED }),
      providerNames(visit.api),
    ]);
    const options = integrations.map(
      ({ id, identifier, name, type }) =>
        [id, [names.get(identifier) ?? identifier, name ?? typeName(type)].join(" · ")] as const,
    );
    options.sort(([, one], [, other]) => one.localeCompare(other));
    const fields = problem?.fields ?? {};
    return {
      title: "Connect an account",
      section: "connections",
      ...(problem ? { status: 400, hasProblem: true } : {}),
      content: html`${head({
        title: "Connect an account",
        trail: [["/connections", "Connections"]],
        lead: "This makes a link with which one user connects one account.",
      })}
${result}
<section class="card">${
        options.length === 0
          ? empty("No integrations yet", visit.link("/integrations/new", "Add one from the catalogue") || NEEDS_ADMIN)
          : html`<div class="in">${visit.form(
              "/connect",
              html`${problem && problemSummary(fields, labels, problem.message)}
${field({ name: "integrations", label: labels.integrations, value: sent?.get("integrations") ?? visit.query.integration ?? "", options: [["", "The user chooses"], ...options], problem: problemOf(fields, "integrations") })}
${field({ name: "external_id", label: labels.external_id, value: sent?.get("external_id") ?? "", required: true, hint: "Your own id for the user", problem: problemOf(fields, "external_id") })}
${lifetimeField(sent?.get("expires_in"))}
<div><button class="primary">Make a link</button></div>`,
              { className: "stack" },
            )}</div>`
      }</section>`,
    };
  }

  routes.page("/connect", "developer", (visit) => show(visit));

  routes.action("/connect", "developer", async (visit, sent) => {
    const integration = sent.get("integrations");
    let session: ConnectSessionRecord | undefined;
    const problem = await problemsOf(async () => {
      session = await visit.api.send("POST", "/platform/v1/connect-sessions", {
        external_id: sent.get("external_id")?.trim() ?? "",
        ...(integration ? { integrations: [integration] } : {}),
        ...readLifetime(sent),
      });
    });
    if (problem) return show(visit, { sent, problem });
    return show(visit, { sent, result: connectLink(session!, "Connect an account now") });
  });
}
