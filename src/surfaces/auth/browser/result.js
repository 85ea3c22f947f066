// Tells the page that opened this window how the session ended. The browser delivers a message only if that page has
// the given origin, and these are the origins that the application has registered.
const { result, origins } = document.currentScript.dataset;
if (window.opener)
  for (const origin of JSON.parse(origins))
    window.opener.postMessage({ type: "plugboard.connect", ...JSON.parse(result) }, origin);
