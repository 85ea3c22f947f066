import type { Application } from "./application.ts";

export interface Session {
  id: string;
  url: string;
  expires_at: string;
}

export const createSession = (application: Application, fields: Record<string, unknown> = {}): Promise<Session> =>
  application.platform("POST", "/connect-sessions", { external_id: "user-7", ...fields });

/** The links of a chooser page, by their text. */
export function choices(text: string): Record<string, string> {
  const links = text.matchAll(
    /<li><a href="([^"]+)"><svg class="mark".+?<\/svg><strong>([^<]*)<\/strong>(?: <span class="quiet">([^<]*)<\/span>)?/g,
  );
  return Object.fromEntries(
    [...links].map(([, href, name, details]) => [
      [name, details].filter(Boolean).join(", "),
      href!.replaceAll("&amp;", "&"),
    ]),
  );
}

/** What the page tells the window that opened it, and which origins it tells. */
export function posted(text: string): { result: any; origins: string[] } | undefined {
  const [, result, origins] = /data-result="([^"]*)" data-origins="([^"]*)"/.exec(text) ?? [];
  const parse = (value: string) => JSON.parse(value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"));
  return result === undefined ? undefined : { result: parse(result), origins: parse(origins!) };
}
