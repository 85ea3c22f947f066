/** A web page that an agent is on. */
export interface Page {
  url: URL;
  status: number;
  headers: Headers;
  text: string;
}

/** Where a visit ended: on a page of the service, or with a redirect to another origin. */
export type Arrival = { page: Page; left?: undefined } | { page?: undefined; left: URL };

/** A minimal browser: it keeps cookies, submits forms and follows redirects within one origin, but not to others. */
export function createAgent(origin: string) {
  const cookies = new Map<string, string>();

  async function ask(url: URL, init: RequestInit = {}): Promise<Response> {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, {
      redirect: "manual",
      ...init,
      headers: { ...(cookie ? { cookie } : {}), ...init.headers },
    });
    for (const line of response.headers.getSetCookie()) {
      const [name = "", value = ""] = line.split(";", 1)[0]!.split("=", 2);
      cookies.set(name, value);
    }
    return response;
  }

  async function arrive(url: URL, init?: RequestInit): Promise<Arrival> {
    for (;;) {
      const response = await ask(url, init);
      const location = response.headers.get("location");
      if (location === null)
        return { page: { url, status: response.status, headers: response.headers, text: await response.text() } };
      await response.body?.cancel();
      url = new URL(location, url);
      init = undefined;
      if (url.origin !== origin) return { left: url };
    }
  }

  return {
    cookies,
    ask: (url: string | URL, init?: RequestInit) => ask(new URL(url, origin), init),
    open: (url: string | URL) => arrive(new URL(url, origin)),
    /** Submits the form of a page, with its hidden fields. */
    submit(page: Page, values: Record<string, string>): Promise<Arrival> {
      const body = new URLSearchParams({ ...hiddenFields(page.text), ...values });
      return arrive(page.url, { method: "POST", body });
    },
  };
}

export type Agent = ReturnType<typeof createAgent>;

export function hiddenFields(text: string): Record<string, string> {
  const inputs = text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Object.fromEntries([...inputs].map(([, name, value]) => [name!, value!]));
}

/** The page of an arrival; throws if it left for another origin. */
export function pageOf({ page, left }: Arrival): Page {
  if (!page) throw new Error(`expected a page, but was redirected to ${left}`);
  return page;
}

/** The address at another origin to which an arrival was redirected; throws if it ended on a page. */
export function leftFor({ page, left }: Arrival): URL {
  if (!left) throw new Error(`expected a redirect, but is on ${page!.url} with ${page!.status}: ${page!.text}`);
  return left;
}
