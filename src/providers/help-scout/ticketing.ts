import { ticketsFromHelpdesk } from "../../provider-kit/index.ts";
import { conversationFields } from "./custom-fields.ts";
import { operations } from "./helpdesk.ts";

export default ticketsFromHelpdesk(operations, conversationFields);
