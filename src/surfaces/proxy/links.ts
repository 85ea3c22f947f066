import type { Forwarded } from "../../engine/index.ts";

/** A provider's address, and the Proxy's that stands for it. */
export interface LinkRewrite {
  from: string;
  to: string;
}

/**
 * Rewrites the targets of a `Link` header from the provider's address to the Proxy's. Official clients follow these
 * links with the credentials of the previous request, and would send our API key to the provider.
 */
export function rewriteLinks(link: string | string[], { from, to }: LinkRewrite): string | string[] {
  const target = new RegExp(`<${RegExp.escape(from)}(?=[/?#>])`, "g");
  const rewrite = (value: string) => value.replaceAll(target, () => `<${to}`);
  return Array.isArray(link) ? link.map(rewrite) : rewrite(link);
}

/** Serializers of JSON put little white space around a colon; a longer run is not looked at. */
const MAX_SPACES = 4;

/** Whether the body of a response can be searched for links: JSON that is not compressed. */
export const isPlainJson = ({ "content-type": type, "content-encoding": encoding }: Forwarded["headers"]) =>
  encoding === undefined && /^application\/(?:[\w.+-]+\+)?json\b/.test(String(type));

/**
 * Does the same for links to other pages in the body, in fields with the given names. Bytes outside of these links are
 * unchanged. A field name within a text is not mistaken for one, because the quotes around it are escaped there.
 */
export function rewriteBodyLinks(
  pipeTo: Forwarded["pipeTo"],
  fields: readonly string[],
  { from, to }: LinkRewrite,
): Forwarded["pipeTo"] {
  const spaces = `\\s{0,${MAX_SPACES}}`;
  const address = RegExp.escape(from).replaceAll("\\/", "\\\\?\\/");
  const link = new RegExp(
    `("(?:${fields.map((field) => RegExp.escape(field)).join("|")})"${spaces}:${spaces}")${address}(?=[\\\\/?#"])`,
    "g",
  );
  // The longest match, with every slash escaped and one more character to look at.
  const maxLength = Math.max(...fields.map((field) => field.length)) + from.length * 2 + MAX_SPACES * 2 + 8;

  return (writer) => {
    /** The end of what came so far, in which a link may begin. */
    let pending = "";
    const takeUntil = (end: number) => {
      const text = pending.slice(0, end);
      pending = pending.slice(end);
      return Buffer.from(
        text.replace(link, (_, start: string) => start + to),
        "latin1",
      );
    };
    return pipeTo({
      write(chunk) {
        // One character per byte, so that chunks may end within a character.
        pending += chunk.toString("latin1");
        let end = Math.max(0, pending.length - maxLength);
        for (const match of pending.matchAll(link))
          if (match.index < end) end = Math.max(end, match.index + match[0].length + 1);
        return end === 0 || writer.write(takeUntil(end));
      },
      end(last) {
        if (last) pending += last.toString("latin1");
        writer.end(takeUntil(pending.length));
      },
      fail: (error) => writer.fail(error),
    });
  };
}
