import { identity } from "../../categories/identity.ts";
import { googleAccount } from "../../provider-kit/google.ts";
import { implement } from "../../provider-kit/implement.ts";

export default implement(identity, { getMe: googleAccount });
