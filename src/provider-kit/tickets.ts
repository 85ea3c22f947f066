import type { HelpdeskTicket, helpdesk } from "../categories/helpdesk.ts";
import type { Task, tasks } from "../categories/tasks.ts";
import { type Ticket, ticketing } from "../categories/ticketing.ts";
import type { CategoryImplementation, CustomFieldSource, ImplementedCategory } from "../contracts/provider.ts";
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

/** Tickets have the custom fields of what they are a view of. */
const ofTickets = (source: CustomFieldSource | undefined): ImplementedCategory["customFields"] =>
  source ? { ticket: source } : {};

/** Ticketing as a view of a provider's tasks, so that its mapping is written once. */
export function ticketsFromTasks(
  { listTasks, getTask, listProjects }: TaskOperations,
  customFields?: CustomFieldSource,
): ImplementedCategory {
  return implement(
    ticketing,
    {
      ...(listTasks && { listTickets: viewList(listTasks, taskToTicket) }),
      ...(getTask && {
        getTicket: withInput(viewOne(getTask, taskToTicket), ({ ticket_id }) => ({ task_id: ticket_id })),
      }),
      ...(listProjects && { listProjects }),
    },
    ofTickets(customFields),
  );
}

/** The same for a help desk. It has no projects. */
export function ticketsFromHelpdesk(
  { listTickets, getTicket }: HelpdeskOperations,
  customFields?: CustomFieldSource,
): ImplementedCategory {
  return implement(
    ticketing,
    {
      ...(listTickets && { listTickets: viewList(listTickets, helpdeskToTicket) }),
      ...(getTicket && { getTicket: viewOne(getTicket, helpdeskToTicket) }),
    },
    ofTickets(customFields),
  );
}
