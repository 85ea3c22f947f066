import { identity } from "../../categories/identity.ts";
import { googleAccount } from "../../provider-kit/google.ts";
import { implement } from "../../provider-kit/implement.ts";

// The account has the same id in the directory and in messages.
export default implement(identity, { getMe: googleAccount });
