import { graphAccount, identity, implement } from "../../provider-kit/index.ts";

export default implement(identity, { getMe: graphAccount });
