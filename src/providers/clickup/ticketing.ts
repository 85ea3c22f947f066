import { ticketsFromTasks } from "../../provider-kit/index.ts";
import { customFields } from "./custom-fields.ts";
import { operations } from "./tasks.ts";

export default ticketsFromTasks(operations, customFields);
