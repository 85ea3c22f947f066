/** An attachment of a chat message, in the format that Slack introduced and other chats adopted. */
export interface Attachment {
  pretext?: string;
  title?: string;
  text?: string;
  /** For clients that cannot show the attachment. */
  fallback?: string;
}

const wordsOf = ({ pretext, title, text, fallback }: Attachment): string =>
  [pretext, title, text].filter(Boolean).join("\n\n") || fallback || "";

/** The words of a message's attachments. Bots often send messages that have no others. */
export const attachmentText = (attachments: readonly Attachment[] | null | undefined): string =>
  Array.isArray(attachments)
    ? attachments
        .map((attachment) => wordsOf(attachment ?? {}))
        .filter(Boolean)
        .join("\n\n")
    : "";
