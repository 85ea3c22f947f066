import type { FastifyReply, FastifyRequest } from "fastify";

interface CookieOptions {
  dashboardUrl: string;
  /** After `plugboard-`. */
  name: string;
  /** Values that do not match are ignored. */
  pattern: RegExp;
  maxAgeMs: number;
}

/**
 * A cookie that scripts cannot read. With https, the `__Host-` prefix prevents other hosts from setting it:
 * https://developer.mozilla.org/en-US/docs/Web/HTTP/Reference/Headers/Set-Cookie
 */
export function createCookie({ dashboardUrl, name, pattern, maxAgeMs }: CookieOptions) {
  const isSecure = dashboardUrl.startsWith("https:");
  const fullName = `${isSecure ? "__Host-" : ""}plugboard-${name}`;

  function write(request: FastifyRequest, reply: FastifyReply, value: string, maxAgeSeconds: number): void {
    // Whatever a client claims here, it can only make its own cookie stricter.
    const secure = isSecure || request.headers["x-forwarded-proto"] === "https" ? "; Secure" : "";
    reply.header(
      "set-cookie",
      `${fullName}=${value}; Max-Age=${maxAgeSeconds}; Path=/; HttpOnly; SameSite=Lax${secure}`,
    );
  }

  return {
    read(request: FastifyRequest): string | undefined {
      for (const pair of (request.headers.cookie ?? "").split(";")) {
        const [cookie, value = ""] = pair.trim().split("=", 2);
        if (cookie === fullName && pattern.test(value)) return value;
      }
      return undefined;
    },
    set: (request: FastifyRequest, reply: FastifyReply, value: string) => write(request, reply, value, maxAgeMs / 1000),
    clear: (request: FastifyRequest, reply: FastifyReply) => write(request, reply, "", 0),
  };
}

export type Cookie = ReturnType<typeof createCookie>;
