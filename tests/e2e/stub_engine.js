/** Stands in for the API in a test: it keeps what it is asked, and answers when and what the test says. */

globalThis.asked = [];
/** The suggestions that were asked for, and how often the engine was started. */
globalThis.suggesting = [];
globalThis.started = 0;
globalThis.state = globalThis.beginsAs ?? "ready";
globalThis.taken = [];

const hit = (id, about) => ({
  id,
  url: `${id}/`,
  title: id,
  titleHighlight: `Page <mark>${id}</mark>`,
  snippet: about ?? `What page ${id} says about it, which is a line or two of text.`,
  breadcrumb: "",
  path: `${id}.md`,
  anchor: "",
  coverage: globalThis.covers?.[id] ?? "all",
  subResults: about ? [{ url: `${id}/#part`, title: "Part", titleHighlight: "", snippet: about, anchor: "part" }] : [],
});

/** Answer the question of this number: pages by their ids, "a b c"; `more` is what else the result says, `about` what pages say. */
globalThis.answer = (number, ids, { about = {}, ...more } = {}) => {
  const hits = ids.split(" ").filter(Boolean).map((id) => hit(id, about[id]));
  globalThis.asked[number].resolve({ totalHits: hits.length, nextOffset: null, truncated: false, notices: [], hits, ...more });
};

globalThis.fail = (number, code) => globalThis.asked[number].reject(Object.assign(new Error(`no ${code}`), { code }));

/** Suggest, to whoever asked with this number: titles, in the form "[Inst]all Hugo", of pages named by their letters. */
globalThis.suggest = (number, all) =>
  globalThis.suggesting[number].resolve(
    all.map(({ id, text, kind = "title", title = id, anchor = "" }) => ({ kind, text: text.split(/[[\]]/), title, url: `${id}/`, anchor })),
  );

/** What the lists have for a query: pages by their ids, "a b", each with what else its hit has. */
globalThis.listed ??= {};

const instantHit = ({ id, text = `Page [${id}]`, heading = "", anchor = "" }) => {
  return { kind: "text", text: text.split(/[[\]]/), title: id, heading, url: `${id}/`, anchor };
};

globalThis.refuse = (number, code) => globalThis.suggesting[number].reject(Object.assign(new Error(`no ${code}`), { code }));

/** How far the engine's start has come. */
globalThis.progress = (stage, loaded, total) => {
  if (stage === "ready") globalThis.state = "ready";
  globalThis.onProgress({ stage, loaded, total });
};

export const open = (base, { onProgress }) => ({
  ready: Promise.resolve((globalThis.onProgress = onProgress)).then(() => {}),
  close() {},
  status: () => ({ state: globalThis.state }),
  preload: ({ all, onProgress } = {}) =>
    new Promise((resolve, reject) => {
      if (all) globalThis.taken.push({ resolve, reject, onProgress });
      else {
        globalThis.started += 1;
        if (globalThis.state === "idle") globalThis.state = "starting";
        resolve();
      }
    }),
  suggest: (query, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (!query) return resolve([]);
      const question = { query, aborted: false, resolve, reject };
      globalThis.suggesting.push(question);
      signal?.addEventListener("abort", () => {
        question.aborted = true;
        reject(Object.assign(new Error("given up"), { code: "stale" }));
      });
    }),
  folders: async () => ({ trail: (url) => globalThis.trails?.[url] ?? [], top: globalThis.sections ?? [] }),
  retrieve: async () => ({ chunks: [] }),
  instant: async (query) => (await (globalThis.listed[query] ?? [])).map(instantHit),
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
