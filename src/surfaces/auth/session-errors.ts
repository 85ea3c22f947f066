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

export const unregisteredAddress = () =>
  new ErrorPage(
    "This cannot be completed",
    "The address to return to is no longer registered for this application. Nothing was connected.",
  );
