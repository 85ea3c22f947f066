import { googleAccount, identity, implement } from "../../provider-kit/index.ts";

// The account has the same id in the directory and in messages.
export default implement(identity, { getMe: googleAccount });
