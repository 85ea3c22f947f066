import type { ChatUser } from "../categories/chat.ts";
import type { Account } from "../categories/identity.ts";

/** The account of a connection that belongs to one of the chat's own users. */
export const toAccount = ({ id, name, email, avatar_url }: ChatUser): Account => ({
  id,
  name,
  email,
  avatar_url,
});
