import { type ChatUser, orNull } from "../../provider-kit/index.ts";

// Only the fields that are read; a missing one counts as null.
export interface SlackUser {
  id: string;
  name: string;
  real_name?: string;
  is_bot?: boolean;
  profile?: {
    display_name?: string;
    real_name?: string;
    /** Only with the scope `users:read.email`. */
    email?: string;
    image_512?: string;
    image_192?: string;
    image_72?: string;
  };
}

/** Slack does not mark it as a bot. https://docs.slack.dev/reference/objects/user-object */
const SLACKBOT = "USLACKBOT";

export const toUser = ({ id, name, real_name, is_bot, profile = {} }: SlackUser): ChatUser => ({
  id,
  name: profile.display_name || profile.real_name || real_name || name,
  email: orNull(profile.email),
  avatar_url: orNull(profile.image_512, profile.image_192, profile.image_72),
  is_bot: id === SLACKBOT || (is_bot ?? null),
});
