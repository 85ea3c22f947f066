import type { Problem } from "../../../contracts/fault.ts";
import { type Html, html } from "../../../runtime/html.ts";
import { type ApiError, fieldError } from "../api.ts";
import { BASE } from "../base.ts";
import { problemSummary } from "./fields.ts";

const start = {
  id: "acme",
  name: "Acme",
  docs_url: "https://developers.acme.example",
  addresses: { api: "https://api.acme.example/v1" },
};

/** A document to start from, by the way to authenticate. */
export const templates: Record<string, { title: string; document: object }> = {
  api_key: {
    title: "API key",
    document: {
      ...start,
      auth: {
        api_key: { in: "header", name: "X-API-Key", label: "API key", help: "https://acme.example/settings/keys" },
      },
      check: { get: "/me" },
    },
  },
  oauth2: {
    title: "OAuth",
    document: {
      ...start,
      addresses: {
        api: "https://api.acme.example/v1",
        authorize: "https://acme.example/oauth/authorize",
        token: "https://acme.example/oauth/token",
      },
      auth: { oauth2: { scopes: ["read"], help: "https://acme.example/settings/applications" } },
      check: { get: "/me" },
    },
  },
  basic: {
    title: "User name and password",
    document: {
      ...start,
      addresses: { api: "https://{account}.acme.example/api" },
      settings: {
        account: {
          label: "Account",
          hint: "The first part of your address",
          placeholder: "my-team",
          pattern: "[a-z0-9-]+",
        },
      },
      auth: { basic: { username: "Email", password: "Password" } },
      check: { get: "/me" },
    },
  },
};

export const documentText = (document: object): string => JSON.stringify(document, null, 2);

/** The document that was sent, or why it is none. */
export function readDocument(form: URLSearchParams): { document: object } | { problem: Problem } {
  const text = form.get("document") ?? "";
  try {
    const document: unknown = JSON.parse(text);
    if (typeof document === "object" && document !== null && !Array.isArray(document)) return { document };
  } catch (error) {
    return { problem: { path: ["document"], message: `is not valid JSON: ${(error as Error).message}` } };
  }
  return { problem: { path: ["document"], message: "must be a JSON object" } };
}

export const documentError = ({ message }: Problem): ApiError => fieldError("document", `It ${message}`);

/** The editor: a text field. With a script, what is wrong is listed below it while somebody types. */
export function documentEditor(text: string, problem: ApiError | undefined): Html {
  return html`${problem && problemSummary(problem.fields, { document: "Document" }, problem.message)}
<div class="field"><label for="document">Document</label>
<p class="hint" id="document-hint">JSON. <a href="/docs/guides/any-api#the-fields-of-a-document">The fields of a document</a></p>
<textarea id="document" name="document" class="code" rows="24" required autocomplete="off" autocapitalize="off" spellcheck="false" aria-describedby="document-hint document-check"${problem && html` aria-invalid="true"`} data-check="${BASE}/check-provider">
${text}</textarea>
<div id="document-check" role="status"></div></div>`;
}
