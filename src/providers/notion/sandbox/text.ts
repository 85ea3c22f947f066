interface Formats {
  bold?: boolean;
  italic?: boolean;
  strikethrough?: boolean;
  code?: boolean;
}

const annotations = (formats: Formats) => ({
  bold: false,
  italic: false,
  strikethrough: false,
  underline: false,
  code: false,
  color: "default",
  ...formats,
});

/** A piece of rich text: https://developers.notion.com/reference/rich-text */
export const text = (content: string, formats: Formats = {}, href: string | null = null) => ({
  type: "text",
  text: { content, link: href === null ? null : { url: href } },
  annotations: annotations(formats),
  plain_text: content,
  href,
});

export const mention = (user: { id: string; name: string | null }) => ({
  type: "mention",
  mention: { type: "user", user: { object: "user", id: user.id } },
  annotations: annotations({}),
  plain_text: `@${user.name ?? "Anonymous"}`,
  href: null,
});

export type SandboxText = ReturnType<typeof text> | ReturnType<typeof mention>;
