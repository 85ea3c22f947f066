import { ticketsFromHelpdesk } from "../../provider-kit/index.ts";
import { operations } from "./helpdesk.ts";

export default ticketsFromHelpdesk(operations);
