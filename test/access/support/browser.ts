// A browser without scripts that follows redirects from host to host. Like a real one, it has one set of cookies for all
// ports of a host.
export interface Page {
  url: string;
  status: number;
  /** Where it redirects to, as an absolute address. */
  location: string | undefined;
  html: string;
  headers: Headers;
}

export interface BrowserRequest {
  method?: string;
  headers?: Record<string, string>;
  form?: Record<string, string> | [string, string][];
}

export class Browser {
  readonly cookies = new Map<string, string>();

  get session(): string | undefined {
    return this.cookies.get("plugboard-session");
  }

  async send(address: string, { method, headers = {}, form }: BrowserRequest = {}): Promise<Page> {
    const cookie = [...this.cookies].map((pair) => pair.join("=")).join("; ");
    const response = await fetch(address, {
      method: method ?? (form ? "POST" : "GET"),
      redirect: "manual",
      headers: {
        accept: "text/html",
        ...(cookie ? { cookie } : {}),
        ...(form ? { origin: new URL(address).origin } : {}),
        ...headers,
      },
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "" || /max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const location = response.headers.get("location");
    return {
      url: address,
      status: response.status,
      location: location === null ? undefined : new URL(location, address).href,
      html: await response.text(),
      headers: response.headers,
    };
  }

  /** Follows redirects up to a page. */
  async open(address: string, request?: BrowserRequest): Promise<Page> {
    let page = await this.send(address, request);
    for (let hop = 0; page.location && page.status >= 300 && page.status < 400 && hop < 20; hop++)
      page = await this.send(page.location);
    return page;
  }
}
