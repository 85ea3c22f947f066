/**
 * Shortcut returns everything that matches a search in one response. So a walk reads one window of creation times after the
 * other, the newest first, and makes each as wide as the previous one was sparse.
 * https://developer.shortcut.com/api/rest/v3#Query-Stories
 */
export type Window = {
  /** The first moment that is no longer in the window. */
  end: string;
  days: number;
};

const DAY = 86_400_000;
/** Before the first story. Whatever claims to be older, such as an imported story, is in the last window. */
const OLDEST = Date.UTC(2014, 0, 1);
const FIRST_DAYS = 28;
const FEW = 50;
const MANY = 250;
/** More than this is not worth reading again for each of the client's pages. */
const TOO_MANY = 1_000;

/** It ends tomorrow, so that a story made while the walk begins is not lost to a clock that is slow. */
export const firstWindow = (now: number): Window => ({
  end: new Date((Math.floor(now / DAY) + 2) * DAY).toISOString(),
  days: FIRST_DAYS,
});

/** The first moment of a window; undefined in the last one. */
export function startOf({ end, days }: Window): string | undefined {
  const start = Date.parse(end) - days * DAY;
  return start < OLDEST ? undefined : new Date(start).toISOString();
}

/** Whether a window is to be read again in parts. */
export const isTooWide = ({ days }: Window, found: number): boolean => found > TOO_MANY && days > 1;

/** The window to read next; null after the last one. */
export function nextWindow(window: Window, found: number): Window | null {
  const { end, days } = window;
  if (isTooWide(window, found)) return { end, days: Math.max(1, Math.floor((days * MANY) / found)) };
  const start = startOf(window);
  if (start === undefined) return null;
  return { end: start, days: found < FEW ? days * 2 : found > MANY ? Math.ceil(days / 2) : days };
}
