import { googleAccount, identity, implement } from "../../provider-kit/index.ts";

export default implement(identity, { getMe: googleAccount });
