import { identity } from "../../categories/identity.ts";
import { implement } from "../../provider-kit/implement.ts";
import { getMe } from "../../provider-kit/microsoft-graph.ts";

export default implement(identity, { getMe });
