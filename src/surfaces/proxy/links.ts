import type { ConnectionContext, Forwarded, RequestTarget } from "../../engine/index.ts";

/** What links to a provider's addresses look like in a response, for one connection. */
interface LinkPatterns {
  /** The names of the addresses, in the order of the groups in the expressions. */
  names: string[];
  /** One of these is part of every link. */
  hosts: Host[];
  /** In a header: the whole value, or a target of `Link`. */
  inHeader: RegExp;
  /** In JSON: a whole string, so that a text that begins with an address is left as it is. */
  inJson: RegExp;
}

/** A host name, and a part of it that is found to be missing much faster than the whole name. */
interface Host {
  name: Buffer;
  part: Buffer;
}

/** Characters of host names, those first that are rare in JSON. */
const RARE_FIRST = "zqjxkvwy-bgfpmhud7953864cln.o210srtaie:";
/** Node searches for up to seven bytes by the first one alone, with the processor's own instruction. */
const MAX_PART_LENGTH = 7;
const MIN_PART_LENGTH = 4;

function toHost(name: string): Host {
  const rarity = (start: number) => RARE_FIRST.indexOf(name[start]!);
  let best = 0;
  for (let start = 1; start <= name.length - MIN_PART_LENGTH; start++) if (rarity(start) < rarity(best)) best = start;
  return { name: Buffer.from(name), part: Buffer.from(name.slice(best, best + MAX_PART_LENGTH)) };
}

const includesHost = (bytes: Buffer, { name, part }: Host) => bytes.includes(part) && bytes.includes(name);

const patterns = new WeakMap<ConnectionContext, LinkPatterns>();

function compile(connection: ConnectionContext): LinkPatterns {
  const addresses = connection.linkAddresses();
  // Servers behind a proxy may think that they are called without TLS, and some serializers escape slashes.
  const source = (url: string, slash: string) =>
    RegExp.escape(url)
      .replace(/^\\x68ttps?/, "https?")
      .replaceAll("\\/", slash)
      .replaceAll("\\*", "[\\w-]+");
  const groups = (slash: string) => addresses.map(({ url }) => `(${source(url, slash)})`).join("|");
  return {
    names: addresses.map(({ to }) => to),
    hosts: [...new Set(addresses.map(({ url }) => /^https?:\/\/(?:[^/]*\*)?([^/]+)/.exec(url)![1]!))].map(toHost),
    inHeader: new RegExp(`(?<=^|<)(?:${groups("\\/")})(?=[/?#{>]|$)`, "g"),
    inJson: new RegExp(`(?<!\\\\)"(?:${groups("\\\\?\\/")})(?=[/?#{"]|\\\\[/u])((?:[^"\\\\\\s]|\\\\[/u])*)"`, "g"),
  };
}

/**
 * Rewrites links to a provider's addresses so that they lead to the Proxy. Official clients follow them with the
 * credentials of the previous request, and would send our API key to the provider.
 */
export function createLinkRewriter(connection: ConnectionContext, target: RequestTarget, ownUrl: string) {
  const compiled = patterns.get(connection) ?? compile(connection);
  patterns.set(connection, compiled);
  const { names, hosts, inHeader, inJson } = compiled;
  const { webPages = [], publicLinks } = connection.provider.manifest;

  /** Links get the form that the client's own path has, because some clients compare them with their base URL. */
  const proxyAddress = (name: string) => ownUrl + (name === target.to ? target.prefix : `/@${name}`);
  const nameOf = (groups: (string | undefined)[]) => names[groups.findIndex((group) => group !== undefined)]!;

  const rewriteText = (text: string) =>
    text.replace(inJson, (link, ...groups) => {
      const found = groups.slice(0, names.length);
      const name = nameOf(found);
      if (webPages.includes(name) || publicLinks?.test(link)) return link;
      return `"${proxyAddress(name)}${groups[names.length]}"`;
    });

  const rewriteValue = (value: string) =>
    value.replace(inHeader, (_, ...groups) => proxyAddress(nameOf(groups.slice(0, names.length))));

  /** Many servers leave their host out, and clients would take the Proxy's instead. */
  const rewriteReference = (value: string) =>
    rewriteValue(
      value.replace(/(?<=^|<)\/(?!\/)[^>]*/g, (path) => {
        const url = connection.address(target.to).origin + path;
        return rewriteValue(url) === url ? path : url;
      }),
    );

  return {
    /** The targets of `Link`, and every header that is a link itself, such as `Location`. */
    headers(headers: Forwarded["headers"]): void {
      for (const name in headers) {
        const value = headers[name]!;
        if (name === "link")
          headers[name] = Array.isArray(value) ? value.map(rewriteReference) : rewriteReference(value);
        else if (typeof value !== "string") continue;
        else if (name === "location" || name === "content-location") headers[name] = rewriteReference(value);
        else if (value.startsWith("http")) headers[name] = rewriteValue(value);
      }
    },

    /** Strings in a JSON body. All other bytes are unchanged, and no more is held back than the beginning of a link. */
    body(pipeTo: Forwarded["pipeTo"]): Forwarded["pipeTo"] {
      return (writer) => {
        /** The end of what came so far, in which a link may begin. */
        let held: Buffer = NOTHING;
        const rewrite = (chunk: Buffer) => {
          const bytes = held.length > 0 ? Buffer.concat([held, chunk]) : chunk;
          if (!hosts.some((host) => includesHost(bytes, host))) return bytes;
          // One character per byte, so that chunks may end within a character.
          return Buffer.from(rewriteText(bytes.toString("latin1")), "latin1");
        };
        return pipeTo({
          write(chunk) {
            let acceptsMore = true;
            let rest = chunk;
            // A link that has begun ends at the next quote. Only that much of the chunk is copied.
            const linkEnd = isInLink(held) ? chunk.indexOf(QUOTE) + 1 : 0;
            if (linkEnd > 0) {
              acceptsMore = writer.write(rewrite(chunk.subarray(0, linkEnd)));
              held = NOTHING;
              rest = chunk.subarray(linkEnd);
            }
            const bytes = rewrite(rest);
            const end = completeLength(bytes);
            held = bytes.subarray(end);
            return end === 0 ? acceptsMore : writer.write(bytes.subarray(0, end));
          },
          end: (last = NOTHING) => writer.end(rewrite(last)),
          fail: (error) => writer.fail(error),
        });
      };
    },
  };
}

const LINK_BEGINNING = /^(?:h|ht|htt|http\S*)?$/;
/** Longer texts are not taken for links: no server accepts such an address. */
const MAX_LINK_LENGTH = 16_384;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const NOTHING = Buffer.alloc(0);

/** How many bytes precede what may be the beginning of a link, which includes the one before its quote. */
function completeLength(bytes: Buffer): number {
  const { length } = bytes;
  const quote = bytes.lastIndexOf(QUOTE);
  const isShort = quote >= 0 && length - quote <= MAX_LINK_LENGTH;
  if (isShort && LINK_BEGINNING.test(bytes.toString("latin1", quote + 1))) return Math.max(quote - 1, 0);
  return bytes[length - 1] === BACKSLASH ? length - 1 : length;
}

/** Whether what is held is more than a quote, which may also be the end of a text, or a backslash. */
const isInLink = (held: Buffer): boolean => held.length > 1 && held.at(-1) !== QUOTE;

const FILE_TYPE = /\braw\b/;
const JSON_TYPE = /^application\/(?:[\w.+-]+\+)?json\b/;

/** Whether links in a body can be rewritten: JSON that is not compressed, and not a file that happens to be JSON. */
export function hasRewritableBody(headers: Forwarded["headers"]): boolean {
  const type = String(headers["content-type"]);
  const isCompressed = headers["content-encoding"] !== undefined;
  const isFile = headers["content-disposition"] !== undefined || FILE_TYPE.test(type);
  return JSON_TYPE.test(type) && !isCompressed && !isFile;
}
