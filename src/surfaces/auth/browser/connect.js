const FEATURES = "popup,width=520,height=720";
const POLL_MS = 1000;

const failure = (error, error_description) => ({ status: "failed", error, error_description });

/**
 * Opens the pop-up of a connect session and resolves with its result. Call it directly in a click handler, or the browser
 * blocks the pop-up; the url may be a promise.
 */
export async function connect(url, { signal } = {}) {
  const popup = window.open("about:blank", "_blank", FEATURES);
  if (!popup) return failure("popup_blocked", "The browser blocked the window");
  try {
    const page = new URL(await url);
    popup.location.replace(page.href);
    return await result(popup, page, signal);
  } finally {
    popup.close();
  }
}

function result(popup, page, signal) {
  return new Promise((resolve) => {
    const end = (value) => {
      clearInterval(timer);
      window.removeEventListener("message", receive);
      resolve(value);
    };
    const receive = ({ source, origin, data }) => {
      if (source !== popup || origin !== page.origin || data?.type !== "plugboard.connect") return;
      const { type, ...value } = data;
      end(value);
    };
    const timer = setInterval(async () => {
      if (!popup.closed) return;
      const value = await ask(page);
      if (value?.status === "connected") end(value);
      // A window that a provider's page has separated from this one also counts as closed, but it has the focus.
      else if (document.hasFocus()) end(failure("closed", "The window was closed"));
    }, POLL_MS);
    window.addEventListener("message", receive);
    signal?.addEventListener("abort", () => end(failure("aborted", "The application closed the window")));
  });
}

async function ask({ origin, pathname, search }) {
  try {
    const response = await fetch(`${origin}${pathname}/result${search}`, { credentials: "omit", cache: "no-store" });
    return response.ok ? await response.json() : undefined;
  } catch {
    return undefined;
  }
}
