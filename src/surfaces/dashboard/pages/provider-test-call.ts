import { pathProblem } from "../../../contracts/path-problem.ts";
import { type Html, html } from "../../../runtime/html.ts";
import type { ConnectionRecord } from "../../shared/platform-records/connection.ts";
import type { ProviderDetails } from "../../shared/platform-records/provider.ts";
import { splitUrl } from "../../shared/split-url.ts";
import type { ApiAnswer } from "../api.ts";
import { providerAdvice } from "../components/failure.ts";
import { field } from "../components/fields.ts";
import { card, codeBlock, prettyJson, statusTag } from "../components/ui.ts";
import type { PageVisit } from "../routes.ts";
import { isProvidersAnswer } from "../unified-call.ts";
import { connectionTitle } from "./connection.ts";

/** More would not be chosen from a list. */
const MAX_LISTED = 100;
/** More is not shown. */
const MAX_BYTES = 200_000;
const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;

export interface TestCallState {
  answer?: ApiAnswer;
  /** What was sent. */
  call?: URLSearchParams;
  callProblems?: Record<string, string>;
}

/** A call of a provider's own API through the Proxy, to see whether its document is right. */
export function createTestCall(headerPrefix: string) {
  return {
    /** The form, for somebody who may send it. */
    async form(visit: PageVisit, { id, document }: ProviderDetails, state: TestCallState): Promise<Html | false> {
      const path = `/providers/${id}/call`;
      if (!visit.maySend(path)) return false;
      const connections = await visit.api.get<ConnectionRecord[]>("/platform/v1/connections", {
        integration_identifier: id,
        order: "newest",
        limit: MAX_LISTED,
      });
      if (connections.length === 0)
        return card(
          "Test call",
          html`<p>Connect an account of it first: then calls can be tried here.</p>`,
          "test-call",
        );
      const { call, callProblems = {} } = state;
      const { check } = (document ?? {}) as { check?: { get: string } };
      return card(
        "Test call",
        visit.form(
          path,
          html`${field({ name: "connection", label: "Connection", value: call?.get("connection") ?? "", options: connections.map((one) => [one.id, connectionTitle(one)]) })}
${field({ name: "method", label: "Method", value: call?.get("method") ?? "GET", options: METHODS.map((method) => [method, method]) })}
${field({ name: "path", label: "Path", value: call?.get("path") ?? check?.get ?? "/", required: true, hint: "Below the API's address, with the query", problem: callProblems.path })}
${field({ name: "body", label: "Body", value: call?.get("body") ?? "", input: "code", hint: "JSON; empty for none", problem: callProblems.body })}
<div><button>Send</button></div>`,
          { className: "stack" },
        ),
        "test-call",
      );
    },

    async send(visit: PageVisit, call: URLSearchParams): Promise<TestCallState> {
      const [path, query] = splitUrl(call.get("path")?.trim() ?? "");
      const given = call.get("body")?.trim() ?? "";
      const wrongPath = path === "" ? "must begin with a slash" : pathProblem(path);
      let body: unknown;
      try {
        body = given === "" ? undefined : JSON.parse(given);
      } catch (error) {
        return { call, callProblems: { body: `is not valid JSON: ${(error as Error).message}` } };
      }
      if (wrongPath) return { call, callProblems: { path: wrongPath } };
      const answer = await visit.api.call({
        method: METHODS.find((method) => method === call.get("method")) ?? "GET",
        path: `/proxy${path}${query === undefined ? "" : `?${query}`}`,
        headers: { [`${headerPrefix}connection-id`]: call.get("connection") ?? "" },
        body,
        maxBytes: MAX_BYTES,
      });
      return { call, answer };
    },

    result({ answer, call }: TestCallState): Html | false {
      if (!answer) return false;
      const { status, body } = answer;
      const isProviders = isProvidersAnswer(answer, headerPrefix);
      return html`<section class="card" aria-label="Result"><div class="card-head"><h2 id="result">${call?.get("method")} ${call?.get("path")}</h2>${statusTag(status)}</div>
<div class="in stack">${status >= 400 && html`<div class="notice bad" role="alert">${isProviders ? html`The provider answered with ${status}. ${providerAdvice(status)}` : html`Plugboard answered with ${status}.`}</div>`}
${codeBlock("answer", status >= 400 && !isProviders ? "The answer" : "The provider's answer", prettyJson(body), true)}</div></section>`;
    },
  };
}
