/** Stands in for the API in a test: it keeps what it is asked, and answers when and what the test says. */

globalThis.asked = [];

const hit = (id, about) => ({
  id,
  url: `${id}/`,
  title: id,
  titleHighlight: `Page <mark>${id}</mark>`,
  snippet: about ?? `What page ${id} says about it, which is a line or two of text.`,
  breadcrumb: "",
  path: `${id}.md`,
  anchor: "",
  subResults: about ? [{ url: `${id}/#part`, title: "Part", titleHighlight: "", snippet: about, anchor: "part" }] : [],
});

/** Answer the question of this number: pages by their ids, "a b c"; `more` is what else the result says, `about` what pages say. */
globalThis.answer = (number, ids, { about = {}, ...more } = {}) => {
  const hits = ids.split(" ").filter(Boolean).map((id) => hit(id, about[id]));
  globalThis.asked[number].resolve({ totalHits: hits.length, nextOffset: null, truncated: false, notices: [], hits, ...more });
};

globalThis.fail = (number, code) => globalThis.asked[number].reject(Object.assign(new Error(`no ${code}`), { code }));

export const open = () => ({
  ready: Promise.resolve(),
  close() {},
  search: (query, { signal, ...options }) =>
    new Promise((resolve, reject) => {
      const question = { query, options, aborted: false, resolve, reject };
      globalThis.asked.push(question);
      signal?.addEventListener("abort", () => {
        question.aborted = true;
        reject(Object.assign(new Error("given up"), { code: "stale" }));
      });
    }),
});
