// Somebody who uses the dashboard with a browser that runs no scripts: pages, forms and a cookie.
import { createSignInLink } from "../../../src/dashboard-link.ts";
import type { TestService } from "../../support/service.ts";

export interface Answer {
  status: number;
  headers: Headers;
  /** Where it redirects to, or null. */
  location: string | null;
  html: string;
}

export interface SendOptions {
  headers?: Record<string, string>;
  method?: string;
}

/** A form's fields; one that is given several times has an array. */
export type Fields = Record<string, string | string[]>;

export function encodeForm(fields: Fields): URLSearchParams {
  const form = new URLSearchParams();
  for (const [name, values] of Object.entries(fields)) for (const value of [values].flat()) form.append(name, value);
  return form;
}

/** The values of the hidden inputs of a page's forms, by name. */
export const hiddenValue = (html: string, name: string): string =>
  new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "";

export class Visitor {
  readonly #service: Pick<TestService, "url">;
  /** What the browser sends as `Cookie`. */
  cookie = "";
  /** What the latest page has for its forms. */
  csrf = "";

  constructor(service: Pick<TestService, "url">) {
    this.#service = service;
  }

  async send(path: string, { method = "GET", headers = {} }: SendOptions = {}, body?: URLSearchParams | string) {
    const response = await fetch(`${this.#service.url}${path}`, {
      method,
      redirect: "manual",
      headers: { accept: "text/html", ...(this.cookie ? { cookie: this.cookie } : {}), ...headers },
      ...(body === undefined ? {} : { body }),
    });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ""] = line.split(";");
      this.cookie = line.includes("Max-Age=0") ? "" : pair;
    }
    const html = await response.text();
    this.csrf = hiddenValue(html, "csrf") || this.csrf;
    return { status: response.status, headers: response.headers, location: response.headers.get("location"), html };
  }

  /** A page of the dashboard. */
  get = (path: string, options?: SendOptions): Promise<Answer> => this.send(`/dashboard${path}`, options);

  /** Sends a form, as a page of the dashboard would. */
  post = (path: string, fields: Fields = {}, options: SendOptions = {}): Promise<Answer> =>
    this.send(
      `/dashboard${path}`,
      { method: "POST", ...options, headers: { origin: this.#service.url, ...options.headers } },
      encodeForm({ csrf: this.csrf, ...fields }),
    );
}

type Served = Pick<TestService, "url" | "store" | "config">;

export async function newLink(service: Served, workspaceName = "sandbox"): Promise<string> {
  const workspace = await service.store.workspaces.byName(workspaceName);
  const link = await createSignInLink(service.store, service.config, workspace!, "dashboard");
  return new URL(link).searchParams.get("link")!;
}

/** Signs in with a one-time link. */
export async function signIn(service: Served, workspaceName?: string): Promise<Visitor> {
  const visitor = new Visitor(service);
  const { status } = await visitor.post("/sign-in", { link: await newLink(service, workspaceName) });
  if (status !== 303) throw new Error(`signing in was answered with ${status}`);
  await visitor.get("");
  return visitor;
}
