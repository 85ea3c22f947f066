import { ticketsFromTasks } from "../../provider-kit/tickets.ts";
import { operations } from "./tasks.ts";

export default ticketsFromTasks(operations);
