// What the pages do better with a script; all of them work without one.

/** Buttons that copy: they are hidden until it is known that they can. */
for (const button of document.querySelectorAll("button[data-copy]")) {
  const source = document.getElementById(button.dataset.copy);
  if (!source || !navigator.clipboard) continue;
  button.hidden = false;
  const label = button.textContent;
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = label;
    }, 2000);
  });
}

/** On a phone, the navigation is one line: it starts at the page that is open. */
document.querySelector(".side [aria-current]")?.scrollIntoView({ inline: "center", block: "nearest" });

/** A color can be picked or typed. */
for (const picker of document.querySelectorAll("input[data-picks]")) {
  const text = document.getElementById(picker.dataset.picks);
  picker.hidden = false;
  picker.addEventListener("input", () => {
    text.value = picker.value;
  });
  text.addEventListener("input", () => {
    if (/^#[\da-f]{6}$/i.test(text.value)) picker.value = text.value;
  });
}

/**
 * A choice that changes the rest of the page takes effect immediately with the mouse. With the keyboard it takes the button
 * next to it, because the arrow keys pass through every option on their way; until then, nothing can be sent.
 */
for (const form of document.querySelectorAll("form[data-choice]")) {
  const selects = [...form.querySelectorAll("select")];
  let byPointer = false;
  form.addEventListener("pointerdown", () => {
    byPointer = true;
  });
  form.addEventListener("keydown", () => {
    byPointer = false;
  });
  function check() {
    const isChanged = selects.some((select) => select.selectedOptions[0]?.defaultSelected === false);
    form.querySelector("[data-changed]").hidden = !isChanged;
    for (const button of document.querySelectorAll("[data-chosen] button")) button.disabled = isChanged;
  }
  form.addEventListener("change", () => (byPointer ? form.requestSubmit() : check()));
  // A page that Back shows again as it was left has the new choice above the form for the previous one.
  addEventListener("pageshow", check);
}

/** A document is checked while somebody types: what is wrong is listed below it. */
for (const editor of document.querySelectorAll("textarea[data-check]")) {
  const list = document.getElementById("document-check");
  let timer;
  let latest = 0;
  async function check() {
    const turn = ++latest;
    const { csrf } = editor.form.elements;
    const sent = new URLSearchParams({ csrf: csrf.value, document: editor.value });
    const response = await fetch(editor.dataset.check, { method: "POST", body: sent }).catch(() => undefined);
    if (!response?.ok || turn !== latest) return;
    const { problems } = await response.json();
    const lines = problems.map(({ field, message }) => `${field ? `${field}: ` : ""}${message}`);
    const items = lines.map((line) => Object.assign(document.createElement("li"), { textContent: line }));
    const summary = document.createElement("p");
    summary.textContent = lines.length === 0 ? "The document is valid." : `${lines.length} to correct:`;
    summary.className = lines.length === 0 ? "right" : "wrong";
    const found = document.createElement("ul");
    found.append(...items);
    list.replaceChildren(summary, ...(lines.length === 0 ? [] : [found]));
    editor.setAttribute("aria-invalid", lines.length > 0);
  }
  editor.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(check, 300);
  });
  check();
}
