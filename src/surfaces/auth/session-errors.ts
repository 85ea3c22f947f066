import { ErrorPage } from "./errors.ts";

export const expiredSession = () =>
  new ErrorPage(
    "This link does not work",
    "It has expired, or it is incomplete. Please go back to the application and start again.",
  );

export const usedSession = () =>
  new ErrorPage(
    "This link has already been used",
    "It was for one account, which has been connected. Please go back to the application.",
  );

export const startedElsewhere = () =>
  new ErrorPage(
    "This cannot be completed here",
    "It was started in another browser. Nothing was connected here. Please go back to the application and start again.",
  );

/** Whoever else opens the link of an MCP client would give it their own account. */
export const allowedElsewhere = (client: string) =>
  new ErrorPage(
    "This cannot be completed here",
    `Nothing was connected. If you allowed ${client} to use your accounts, open the link in the browser in which you did so, or sign in again from ${client}. If you did not, close this page: whoever sent you the link would get access to your account.`,
    { status: 403 },
  );

export const unregisteredAddress = () =>
  new ErrorPage(
    "This cannot be completed",
    "The address to return to is no longer registered for this application. Nothing was connected.",
  );
