import { ticketsFromHelpdesk } from "../../provider-kit/tickets.ts";
import { operations } from "./helpdesk.ts";

export default ticketsFromHelpdesk(operations);
