import type { HelpdeskTicket, helpdesk } from "../categories/helpdesk.ts";
import type { Task, tasks } from "../categories/tasks.ts";
import { type Ticket, ticketing } from "../categories/ticketing.ts";
import type { CategoryImplementation, ImplementedCategory } from "../contracts/provider.ts";
import { implement, viewList, viewOne, withInput } from "./implement.ts";

const taskToTicket = ({ id, title, status, url, description, created_at, updated_at }: Task): Ticket => ({
  id,
  title,
  status,
  url,
  description,
  created_at,
  updated_at,
});

const helpdeskToTicket = ({ subject, ...ticket }: HelpdeskTicket): Ticket => ({
  id: ticket.id,
  title: subject ?? `#${ticket.id}`,
  status: ticket.status,
  url: ticket.url,
  description: ticket.description,
  created_at: ticket.created_at,
  updated_at: ticket.updated_at,
});

type TaskOperations = CategoryImplementation<typeof tasks.operations>;
type HelpdeskOperations = CategoryImplementation<typeof helpdesk.operations>;

/** Ticketing as a view of a provider's tasks, so that its mapping is written once. */
export function ticketsFromTasks({ listTasks, getTask, listProjects }: TaskOperations): ImplementedCategory {
  return implement(ticketing, {
    ...(listTasks && { listTickets: viewList(listTasks, taskToTicket) }),
    ...(getTask && {
      getTicket: withInput(viewOne(getTask, taskToTicket), ({ ticket_id }) => ({ task_id: ticket_id })),
    }),
    ...(listProjects && { listProjects }),
  });
}

/** The same for a help desk. It has no projects. */
export function ticketsFromHelpdesk({ listTickets, getTicket }: HelpdeskOperations): ImplementedCategory {
  return implement(ticketing, {
    ...(listTickets && { listTickets: viewList(listTickets, helpdeskToTicket) }),
    ...(getTicket && { getTicket: viewOne(getTicket, helpdeskToTicket) }),
  });
}
