/** A stub of the API: it records the requests, and the test resolves them. */

globalThis.searches = [];
globalThis.suggestRequests = [];
/** How often the engine was started. */
globalThis.starts = 0;
globalThis.state = globalThis.initialState ?? "ready";

const hit = (id, passage) => ({
  id,
  url: `${id}/`,
  title: id,
  titleHighlight: `Page <mark>${id}</mark>`,
  snippet: passage ?? `What page ${id} says about it, which is a line or two of text.`,
  breadcrumb: "",
  path: `${id}.md`,
  anchor: "",
  coverage: globalThis.coverage?.[id] ?? "all",
  subResults: passage ? [{ url: `${id}/#part`, title: "Part", titleHighlight: "", snippet: passage, anchor: "part" }] : [],
});

/** Resolve a search with hits of pages with these ids, "a b c"; `passages`: their texts by id, `fields`: other fields of the result. */
globalThis.answer = (number, ids, { passages = {}, ...fields } = {}) => {
  const hits = ids.split(" ").filter(Boolean).map((id) => hit(id, passages[id]));
  globalThis.searches[number].resolve({ totalHits: hits.length, nextOffset: null, truncated: false, notices: [], hits, ...fields });
};

globalThis.fail = (number, code) => globalThis.searches[number].reject(Object.assign(new Error(`no ${code}`), { code }));

/** Resolve a request for suggestions; brackets enclose the marked part of a title: "[Inst]all Hugo". */
globalThis.suggest = (number, suggestions) =>
  globalThis.suggestRequests[number].resolve(
    suggestions.map(({ id, text, kind = "title", title = id, anchor = "" }) => ({ kind, text: text.split(/[[\]]/), title, url: `${id}/`, anchor })),
  );

/** The instant hits of each query. */
globalThis.instantHits ??= {};

const instantHit = ({ id, text = `Page [${id}]`, heading = "", anchor = "" }) => {
  return { kind: "text", text: text.split(/[[\]]/), title: id, heading, url: `${id}/`, anchor };
};

globalThis.refuse = (number, code) => globalThis.suggestRequests[number].reject(Object.assign(new Error(`no ${code}`), { code }));

/** Report the progress of the engine's start. */
globalThis.progress = (stage, loaded, total) => {
  if (stage === "ready") globalThis.state = "ready";
  globalThis.onProgress({ stage, loaded, total });
};

export const open = (base, { onProgress }) => ({
  ready: Promise.resolve((globalThis.onProgress = onProgress)).then(() => {}),
  close() {},
  status: () => ({ state: globalThis.state }),
  preload: ({ all } = {}) =>
    new Promise((resolve) => {
      if (all) return; // a download stays pending
      globalThis.starts += 1;
      if (globalThis.state === "idle") globalThis.state = "starting";
      resolve();
    }),
  suggest: (query, { signal } = {}) =>
    new Promise((resolve, reject) => {
      if (!query) return resolve([]);
      const request = { query, aborted: false, resolve, reject };
      globalThis.suggestRequests.push(request);
      signal?.addEventListener("abort", () => {
        request.aborted = true;
        reject(Object.assign(new Error("aborted"), { code: "stale" }));
      });
    }),
  folders: async () => ({ trail: (url) => globalThis.trails?.[url] ?? [], top: globalThis.sections ?? [] }),
  retrieve: async () => ({ chunks: [] }),
  instant: async (query) => (await (globalThis.instantHits[query] ?? [])).map(instantHit),
  search: (query, { signal, ...options }) =>
    new Promise((resolve, reject) => {
      const request = { query, options, aborted: false, resolve, reject };
      globalThis.searches.push(request);
      signal?.addEventListener("abort", () => {
        request.aborted = true;
        reject(Object.assign(new Error("aborted"), { code: "stale" }));
      });
    }),
});
