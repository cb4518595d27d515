/**
 * Opens the search box from the search fields and buttons of a theme: Sphinx themes, and `mkdocs` and `readthedocs` of MkDocs.
 *
 * The folder of this script is beside `_ranvier/`.
 */

import "../_ranvier/search.js"; // defines <ranvier-search>

/** Fields of a form that leads to the search page; on that page itself, the form stays as it is. */
const FIELDS = ["search.html", "search/"].map((end) => `form[action$="${end}"] input[name="q"]`).join();
const box = document.querySelector("ranvier-search:not([inline])") ?? added();

/** Add a box without a button of its own: the theme's field or button opens it. */
function added() {
  const element = document.createElement("ranvier-search");
  element.className = "ranvier-without-button";
  document.body.append(element);
  return element;
}

/** A field that opens the box when it is clicked or typed into. The focus alone does not open it. @param {HTMLInputElement} field */
function connect(field) {
  field.readOnly = true;
  field.setAttribute("aria-haspopup", "dialog");
  field.addEventListener("click", () => box.open());
  field.addEventListener("keydown", (event) => {
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey;
    if (!isText && event.key !== "Enter") return;
    if (!isText || event.key === "/") event.preventDefault();
    box.open(); // the letter goes to the field of the box, which has the focus now
  });
  field.form.addEventListener("submit", (event) => {
    event.preventDefault();
    box.open();
  });
}

document.querySelectorAll(FIELDS).forEach(connect);

// Sphinx: "/" moves the focus to the theme's field. The box has the same key.
if (typeof DOCUMENTATION_OPTIONS !== "undefined") DOCUMENTATION_OPTIONS.ENABLE_SEARCH_SHORTCUTS = false;

// The pydata theme opens its dialog from buttons and with Ctrl-K.
const dialog = document.getElementById("pst-search-dialog");
if (dialog) dialog.showModal = () => box.open();

// The theme `mkdocs` opens a Bootstrap dialog from its button and with its key.
document.getElementById("mkdocs_search_modal")?.addEventListener("show.bs.modal", (event) => {
  event.preventDefault();
  box.open();
});

// Its help takes the key "/" for "?".
let key = "";
document.addEventListener("keydown", (event) => (key = event.key), { capture: true });
document.getElementById("mkdocs_keyboard_modal")?.addEventListener("show.bs.modal", (event) => {
  if (key === "/") event.preventDefault();
});

// Material with instant navigation: its router sees only clicks on links outside of the box.
const material = JSON.parse(document.getElementById("__config")?.textContent ?? "{}");
if (material.features?.includes("navigation.instant")) {
  // The router writes scroll positions to the history. They must not replace what the box needs to come back.
  const replaceState = history.replaceState.bind(history);
  history.replaceState = (state, ...rest) => replaceState({ ranvier: history.state?.ranvier, ...state }, ...rest);
  document.addEventListener("ranvier-select", (event) => {
    event.preventDefault();
    const link = document.createElement("a");
    link.href = event.detail.url;
    // After the box has closed, and has noted in the history how to come back.
    setTimeout(() => {
      document.body.append(link);
      link.click();
      link.remove();
    });
  });
}
