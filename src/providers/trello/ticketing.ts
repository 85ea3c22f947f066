import { ticketsFromTasks } from "../../provider-kit/index.ts";
import { operations } from "./tasks.ts";

export default ticketsFromTasks(operations);
