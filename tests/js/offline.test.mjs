// The offline cache (B3), with a cache and a network made of maps.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { FORMAT } from "../../runtime/ranvier_web/entry.js";
import { OfflineCache } from "../../runtime/ranvier_web/offline/offline-cache.js";
import * as names from "../../runtime/ranvier_web/offline/file-names.js";
import { BoundedCache } from "../../runtime/ranvier_web/offline/bounded-cache.js";

const SITE = "https://x.example/docs/";
const BASE = `${SITE}_ranvier/`;
const hex = (text, length) => createHash("sha256").update(text).digest("hex").slice(0, length);
const seal = (text) => [Buffer.byteLength(text), `sha256-${createHash("sha256").update(text).digest("base64")}`];

/** A cache storage with room for so many bytes in each cache. */
class Caches {
  room = Infinity;
  stored = [];
  all = new Map();
  async open(name) {
    const files = this.all.get(name) ?? new Map();
    this.all.set(name, files);
    return {
      match: async (url) => files.get(url)?.clone(),
      delete: async (url) => files.delete(url),
      put: async (url, response) => {
        this.stored.push(url);
        const size = (await response.clone().arrayBuffer()).byteLength;
        let used = 0;
        for (const [key, response] of files) if (key !== url) used += (await response.clone().arrayBuffer()).byteLength;
        if (used + size > this.room) throw new DOMException("full", "QuotaExceededError");
        files.set(url, response);
      },
    };
  }
  async keys() {
    return [...this.all.keys()];
  }
  async delete(name) {
    return this.all.delete(name);
  }
}

/** A site: its files by their names below the base, its pages by their addresses, and the requests. */
class Site {
  files = new Map();
  pages = new Map();
  requests = [];
  down = false;
  fetcher = async (input, init) => {
    const request = new Request(input, init);
    this.requests.push(request.url.replace(BASE, ""));
    if (this.down) throw new TypeError("Failed to fetch");
    const response = this.pages.get(request.url) ?? this.files.get(request.url.replace(BASE, ""));
    if (response === undefined) return asNetworkResponse(new Response("", { status: 404 }));
    const zipped = { headers: { "content-encoding": "gzip" } };
    return asNetworkResponse(typeof response === "string" ? new Response(response, zipped) : await response(request));
  };
}

/** Change the type of a response, and of its clones, from "default" to the type of a network response. */
function asNetworkResponse(response) {
  if (response.type !== "default") return response;
  const clone = () => asNetworkResponse(Response.prototype.clone.call(response));
  return Object.defineProperties(response, { type: { value: "basic" }, clone: { value: clone } });
}

const data = (text) => [`text/${hex(text, 24)}.bin`, text];

const [GERMAN, FRENCH] = ["de", "fr"].map((lang) => `web-${hex("web", 12)}/ui/languages/${lang}.js`);

/** Publish a version of the site: its entry, and the names of its texts. */
function publish(site, { version = "one", texts = ["a", "b", "c"], glue = "glue", pages = "" } = {}) {
  site.files.clear();
  const shell = { [`web-${hex("web", 12)}/api.js`]: "api", [`engine-${hex(glue, 12)}/pyodide.js`]: glue, [GERMAN]: "de", [FRENCH]: "fr" };
  const named = (kind, ending, text) => [`${kind}-${hex(text, 24)}.${ending}`, text];
  const [core, manifest, hot] = [named("core", "bin", "core"), named("manifest", "bin", version), named("hot", "bin", "hot")];
  const dataFiles = [core, manifest, hot, ...texts.map(data)];
  const list = JSON.stringify({
    shell: Object.fromEntries(Object.entries(shell).map(([name, text]) => [name, seal(text)])),
    digests: dataFiles.map(([name]) => names.digestOf(name).slice(0, 10)).sort().join(""),
  });
  const [engine] = Object.keys(shell).filter((name) => name.startsWith("engine-"));
  const entry = {
    format: FORMAT,
    api: `web-${hex("web", 12)}/api.js`,
    engine: `${engine.split("/")[0]}/`,
    engineFiles: { "pyodide.js": seal(glue) },
    core: core[0],
    langs: null,
    manifest: manifest[0],
    hot: hot[0],
    files: `files-${hex(list, 24)}.json`,
    build: hex(list + pages, 24),
    offline: "../ranvier-sw.js",
  };
  for (const [name, text] of [...Object.entries(shell), ...dataFiles]) site.files.set(name, text);
  site.files.set(entry.files, list).set("entry.json", JSON.stringify(entry));
  return entry;
}

/** A published site with its entry, and its cache. */
function world({ timeout = 50, maxBytes = 60e6, ...version } = {}) {
  const [site, caches] = [new Site(), new Caches()];
  const restart = () => new OfflineCache(BASE, { caches, fetcher: site.fetcher, timeout, maxBytes });
  return { site, caches, offlineCache: restart(), restart, entry: publish(site, version) };
}

/** Let a cache finish its work, then cut the network. */
async function disconnect(site, offlineCache) {
  await offlineCache.flush();
  site.down = true;
}

const ask = async (offlineCache, name, init) => {
  const response = await offlineCache.hashed(new Request(BASE + name, init), name);
  return response.ok ? response.text() : response.status;
};
const fails = (response) => assert.rejects(response, TypeError);
const [A, B, C] = ["a", "b", "c"].map((text) => data(text)[0]);

test("requests are classified", () => {
  const kind = (address, init, extra) => {
    const { method, headers, url, cache, mode, destination } = new Request(address, init);
    return names.kindOf({ method, headers, url, cache, mode, destination, ...extra }, BASE, SITE);
  };
  const table = [
    [`${BASE}${A}`, {}, {}, "hashed"],
    [`${BASE}web-${hex("w", 12)}/ui/search-box.js?try=1`, {}, {}, "hashed"],
    [`${BASE}entry.json`, {}, {}, "entry"],
    [`${BASE}${A}`, { headers: { range: "bytes=0-9" } }, {}, "pass"],
    [`${BASE}${A}`, { method: "POST" }, {}, "pass"],
    [`${BASE}${A}`, {}, { cache: "only-if-cached" }, "pass"],
    [`https://other.example/docs/_ranvier/${A}`, {}, {}, "pass"],
    [`https://x.example/_ranvier/${A}`, {}, {}, "pass"],
    [`${BASE}written.txt`, {}, {}, "pass"],
    [`${SITE}guide/`, {}, { mode: "navigate" }, "page"],
    ["https://x.example/elsewhere/", {}, { mode: "navigate" }, "pass"],
    [`${SITE}style.css`, {}, { destination: "style" }, "part"],
    [`${SITE}api/data`, {}, { destination: "" }, "pass"],
    [`${SITE}film.mp4`, {}, { destination: "video" }, "pass"],
  ];
  for (const [url, init, extra, expected] of table) assert.equal(kind(url, init, extra), expected, url);
});

test("cache names and file names", () => {
  assert.equal(names.baseOf("https://x.example/docs/ranvier-sw.js"), BASE);
  assert.equal(names.baseOf("https://x.example/docs/_ranvier/sw.js"), BASE);
  assert.equal(names.isSiteCache(names.cacheNames(BASE).files, BASE), true);
  assert.equal(names.isSiteCache("ranvier-0 pages /docs/_ranvier/", BASE), true);
  assert.equal(names.isSiteCache("ranvier-1 files /docs/v2/_ranvier/", BASE), false, "two sites of one origin");
  assert.equal(names.isSiteCache("workbox-precache", BASE), false, "another application");
  assert.equal(names.pageKey(`${SITE}guide/index.html?q=x#y`), `${SITE}guide/`);
  assert.equal(names.withSlash(`${SITE}guide`), `${SITE}guide/`);
  assert.equal(names.withSlash(`${SITE}guide.html`), null);
  assert.equal(names.digestOf(`core-${hex("c", 12)}.wasm`), hex("c", 12));
  assert.equal(names.digestOf(`web-${hex("c", 12)}/api.js`), null);
  const engineFiles = { "pyodide.js": [], "pyodide.primary.wasm": [], "pyodide.secondary.wasm": [] };
  const required = names.requiredFiles({ engine: "engine-1/", engineFiles, core: "core", langs: null, manifest: "manifest", hot: "hot" });
  assert.deepEqual(required, ["engine-1/pyodide.js", "engine-1/pyodide.primary.wasm", "core", "manifest", "hot"], "few searches need the second part");
});

test("the least recently used file is removed first, pinned files never", async () => {
  const caches = new Caches();
  const restart = () => new BoundedCache(caches, "boundedCache", BASE);
  const first = restart();
  const put = (cache, name, ...bound) => cache.put(name, new Response(name), 10, ...bound);
  const removed = async (cache, before) => (await Promise.all([...before].map(async (name) => ((await cache.has(name)) ? "" : name)))).join("");
  for (const name of "abcd") await put(first, name, {});
  await first.get("a");
  await put(first, "e", { bytes: 50 });
  assert.equal(await removed(first, "bcdae"), "");
  await first.flush();
  const second = restart();
  await put(second, "f", { bytes: 40 }, new Set(["b"]));
  assert.equal(await removed(second, "bcdaef"), "cd");
  await put(second, "g", { files: 4 });
  assert.equal(await removed(second, "baefg"), "b");
});

test("files of a visit work offline, other files do not", async () => {
  const { site, offlineCache, restart, entry } = world();
  site.pages.set(`${SITE}guide/`, "<p>guide");
  assert.equal(await offlineCache.visit({ entry, names: [B, "entry.json", "other"], pages: [`${SITE}guide/?q=x#y`] }), true);
  assert.equal(await ask(offlineCache, A), "a");
  await disconnect(site, offlineCache);
  const later = restart();
  for (const name of [A, B, entry.core, entry.manifest, entry.hot, entry.api, `${entry.engine}pyodide.js`]) {
    assert.equal(await ask(later, name), site.files.get(name), name);
  }
  assert.deepEqual(await (await later.entry(new Request(`${BASE}entry.json`))).json(), entry);
  const page = await later.pages.answer(new Request(`${SITE}guide/index.html?q=z`));
  assert.equal(await page.text(), "<p>guide");
  assert.equal(page.headers.get("content-encoding"), null, "the stored body is decompressed");
  assert.equal((await later.pages.answer(new Request(`${SITE}guide`))).headers.get("location"), `${SITE}guide/`);
  await fails(ask(later, C));
  await fails(later.pages.answer(new Request(`${SITE}other/`)));
});

test("modules that only some pages need are stored for the pages that report them", async () => {
  const { site, offlineCache, restart, entry } = world();
  await offlineCache.visit({ entry, names: [GERMAN] });
  assert.ok(!site.requests.includes(FRENCH));
  await disconnect(site, offlineCache);
  assert.equal(await ask(restart(), GERMAN), "de");
  await fails(ask(restart(), FRENCH));
});

test("used files of instant answers are cached and checked", async () => {
  const { site, offlineCache, restart } = world();
  const [requested, reported, unused] = ["root", "shard", "other"].map((text) => [`lists/${hex(text, 24)}.bin`, text]);
  const list = JSON.stringify({ shell: {}, digests: [requested, reported, unused].map(([name]) => names.digestOf(name).slice(0, 10)).join("") });
  const entry = { ...JSON.parse(site.files.get("entry.json")), lists: requested[0], files: `files-${hex(list, 24)}.json`, build: hex(list, 24) };
  site.files.set(entry.files, list).set("entry.json", JSON.stringify(entry));
  for (const [name, text] of [requested, reported, unused]) site.files.set(name, text);
  for (const [name] of [requested, reported]) {
    assert.equal(names.kindOf(new Request(BASE + name), BASE, SITE), "hashed");
    assert.equal(names.isEngineFile(name), false, "the service worker must check its digest");
  }
  await offlineCache.visit({ entry, names: [reported[0]] }); // fetched before the service worker was active
  assert.equal(await ask(offlineCache, requested[0]), "root");
  await disconnect(site, offlineCache);
  for (const [name, text] of [requested, reported]) assert.equal(await ask(restart(), name), text);
  await fails(ask(restart(), unused[0]));
});

const DAMAGE = {
  "other bytes": () => new Response("x"),
  "a part": () => new Response("a", { status: 206 }),
  "a page instead": () => new Response("<html>captive portal", { headers: { "content-type": "text/html" } }),
  "redirected": () => Object.defineProperty(new Response("a"), "redirected", { value: true }),
  opaque: () => Object.defineProperty(new Response("a"), "type", { value: "opaque" }),
  "an error status": () => new Response("a", { status: 404 }),
};

for (const [kind, damage] of Object.entries(DAMAGE)) {
  test(`damaged responses are never cached: ${kind}`, async () => {
    for (const name of [A, `engine-${hex("glue", 12)}/pyodide.js`, `web-${hex("web", 12)}/api.js`]) {
      const { site, offlineCache, entry } = world();
      site.files.set(name, damage);
      await offlineCache.visit({ entry, names: [] });
      const status = await ask(offlineCache, name).catch(() => "failed");
      // The engine checks its own files, so the cache passes them on unchanged.
      const isPassedOn = name.startsWith("engine-");
      // A proxy may rewrite a script, so a different script is passed on.
      if (["other bytes", "a page instead"].includes(kind) && !isPassedOn) assert.equal(status === 502, name === A, name);
      await disconnect(site, offlineCache);
      await fails(ask(offlineCache, name));
    }
  });
}

test("a file that is damaged in the HTTP cache is fetched without it", async () => {
  const { site, offlineCache, entry } = world();
  site.files.set(A, ({ cache }) => new Response(cache === "reload" ? "a" : "x"));
  await offlineCache.visit({ entry, names: [] });
  assert.equal(await ask(offlineCache, A), "a");
  site.down = true;
  assert.equal(await ask(offlineCache, A), "a");
  assert.equal(await ask(offlineCache, A, { cache: "reload" }), "a", "offline, there is no other copy");
});

test("a file whose error is in the HTTP cache is fetched without it", async () => {
  const { site, offlineCache, entry } = world();
  for (const name of [A, entry.files, entry.api]) {
    const file = site.files.get(name);
    site.files.set(name, ({ cache }) => (cache === "reload" ? new Response(file) : new Response("", { status: 500 })));
  }
  assert.equal(await offlineCache.visit({ entry, names: [A, entry.api] }), true);
  site.down = true;
  assert.deepEqual([await ask(offlineCache, A), await ask(offlineCache, entry.api)], ["a", "api"]);
});

test("a file that fails is requested twice, but once after the status 429", async () => {
  const { site, offlineCache, entry } = world();
  await offlineCache.visit({ entry, names: [] });
  for (const [status, requests] of [[404, 2], [503, 2], [429, 1]]) {
    site.files.set(A, () => new Response("", { status }));
    const before = site.requests.length;
    assert.equal(await offlineCache.visit({ entry, names: [A] }), false);
    assert.equal(site.requests.slice(before).filter((name) => name === A).length, requests, `${status}`);
    const fresh = world(); // the same for the list of files
    fresh.site.files.set(entry.files, () => new Response("", { status }));
    assert.equal(await fresh.offlineCache.visit({ entry, names: [] }), false);
    assert.equal(fresh.site.requests.filter((name) => name === entry.files).length, requests, `list: ${status}`);
  }
});

const cachedEntry = async (offlineCache) => (await offlineCache.entry(new Request(`${BASE}entry.json`))).json();
const goTo = async (offlineCache, page) => (await offlineCache.page(new Request(SITE + page))).text();

test("files of two builds are never mixed", async () => {
  const { site, offlineCache, restart, caches, entry: older } = world();
  await offlineCache.visit({ entry: older, names: [A, B] });
  const newer = publish(site, { version: "two", texts: ["b", "d"] });
  const [D] = data("d");
  // A file of the new build fails: the old build is removed nevertheless.
  const manifest = site.files.get(newer.manifest);
  site.files.set(newer.manifest, () => new Response("", { status: 503 }));
  assert.equal(await offlineCache.visit({ entry: newer, names: [D] }), false);
  await disconnect(site, offlineCache);
  assert.equal((await cachedEntry(offlineCache)).manifest, newer.manifest);
  for (const name of [older.manifest, newer.manifest, A]) await fails(ask(offlineCache, name));
  // No file fails: the new build is complete, with the files of both builds.
  site.down = false;
  site.files.set(newer.manifest, manifest);
  assert.equal(await offlineCache.visit({ entry: newer, names: [D, A] }), true, "the page is of the old build, and uses the new one");
  await disconnect(site, offlineCache);
  for (const cache of [offlineCache, restart()]) {
    assert.equal((await cachedEntry(cache)).manifest, newer.manifest);
    for (const [name, text] of [[newer.manifest, "two"], [B, "b"], [D, "d"]]) assert.equal(await ask(cache, name), text);
    for (const name of [older.manifest, A]) await fails(ask(cache, name));
  }
  // An open page of the old build reports its files, which the host may still have.
  site.down = false;
  site.files.set(A, "a");
  caches.stored.length = 0;
  assert.equal(await offlineCache.visit({ entry: older, names: [A], pages: [`${SITE}old/`] }), false);
  assert.equal(await ask(offlineCache, A), "a", "it is passed on");
  await offlineCache.flush();
  assert.deepEqual(caches.stored.filter((url) => url.endsWith(A)), [], "not even temporarily");
  site.down = true;
  assert.equal((await cachedEntry(offlineCache)).manifest, newer.manifest);
  await fails(ask(offlineCache, A));
});

test("a file of the old build whose storing ends after a new build arrives is removed", async () => {
  const { site, offlineCache, restart, caches, entry: older } = world();
  await offlineCache.visit({ entry: older, names: [B] });
  const { open } = caches;
  let finish = () => {};
  const storing = new Promise((resolveStart) => {
    caches.open = async (name) => {
      const cache = await open.call(caches, name);
      const slow = () => new Promise((resolve) => resolveStart((finish = resolve)));
      return { ...cache, put: async (url, response) => (url.endsWith(A) && (await slow()), cache.put(url, response)) };
    };
  });
  const answer = ask(offlineCache, A);
  await storing;
  const newer = publish(site, { version: "two", texts: ["b"] });
  await offlineCache.visit({ entry: newer, names: [] });
  finish();
  assert.equal(await answer, "a");
  await disconnect(site, offlineCache);
  for (const cache of [offlineCache, restart()]) await fails(ask(cache, A));
});

/** After a visit with a search, a page is withdrawn, with its picture and its text. */
async function withdrawPage() {
  const visit = world();
  const { site, offlineCache, entry: older } = visit;
  for (const page of ["", "secret/", "_media/secret.png"]) site.pages.set(SITE + page, `of ${page}`);
  const pages = [`${SITE}secret/`, SITE, `${SITE}_media/secret.png`];
  assert.equal(await offlineCache.visit({ entry: older, names: [A, B], pages }), true);
  await offlineCache.flush();
  const newer = publish(site, { version: "two", texts: ["b"] });
  for (const page of ["secret/", "_media/secret.png"]) site.pages.delete(SITE + page);
  const assertRemoved = async (cache) => {
    site.down = true;
    for (const page of ["secret/", "_media/secret.png"]) await fails(cache.pages.answer(new Request(SITE + page)));
    for (const name of [A, older.manifest]) await fails(ask(cache, name));
    site.down = false;
  };
  return { ...visit, older, newer, assertRemoved };
}

const TRIGGERS = {
  "a page of the site is opened": (offlineCache) => goTo(offlineCache, ""),
  "the page itself is opened": (offlineCache) => goTo(offlineCache, "secret/"),
  "the search requests the entry file": cachedEntry,
  "a page reports its files": (offlineCache, newer) => offlineCache.visit({ entry: newer, names: [] }),
  "a page of an older build reports its files": (offlineCache, newer, older) => offlineCache.visit({ entry: { ...older, build: "0" }, names: [] }),
};

for (const [event, trigger] of Object.entries(TRIGGERS)) {
  test(`files that a new build lacks are removed as soon as ${event}`, async () => {
    for (const restarted of [false, true]) {
      const { site, offlineCache, restart, older, newer, assertRemoved, caches } = await withdrawPage();
      const now = restarted ? restart() : offlineCache;
      await trigger(now, newer, older);
      await now.flush();
      for (const cache of [now, restart()]) await assertRemoved(cache);
      const stored = [...caches.all.values()].flatMap((files) => [...files.keys()]);
      assert.deepEqual(stored.filter((url) => /secret/.test(url) || url.endsWith(A)), []);
      site.down = true;
      assert.equal((await cachedEntry(restart())).manifest, newer.manifest);
      for (const [name, text] of [[newer.manifest, "two"], [newer.core, "core"], [B, "b"]]) assert.equal(await ask(restart(), name), text);
    }
  });
}

test("the cache stays if the host fails, and is cleared if the entry file is missing", async () => {
  const answers = {
    503: () => new Response("", { status: 503 }),
    429: () => new Response("", { status: 429 }),
    "broken": () => new Response(new ReadableStream({ start: (stream) => stream.error(new TypeError("broken")) })),
    404: () => new Response("", { status: 404 }),
    "another page": () => new Response("<html>"),
    "another JSON": () => new Response("null"),
    "redirected": () => Object.defineProperty(new Response("{}"), "redirected", { value: true }),
  };
  for (const [kind, answer] of Object.entries(answers)) {
    const { site, offlineCache, restart, older, assertRemoved } = await withdrawPage();
    site.files.set("entry.json", answer);
    await goTo(offlineCache, "");
    await offlineCache.flush();
    if (!["503", "429", "broken"].includes(kind)) {
      await assertRemoved(restart());
      continue;
    }
    site.down = true;
    assert.equal(await goTo(restart(), "secret/"), "of secret/", kind);
    assert.equal((await cachedEntry(restart())).manifest, older.manifest);
    assert.equal(await ask(restart(), A), "a");
  }
});

test("a build with the same search files and other pages is a new build", async () => {
  const { site, offlineCache, restart, entry: older } = world();
  site.pages.set(SITE, "home").set(`${SITE}secret/`, "secret");
  await offlineCache.visit({ entry: older, names: [A], pages: [`${SITE}secret/`] });
  const newer = publish(site, { pages: "without a secret" });
  assert.equal(newer.files, older.files);
  site.pages.delete(`${SITE}secret/`);
  await goTo(offlineCache, "");
  await disconnect(site, offlineCache);
  await fails(restart().pages.answer(new Request(`${SITE}secret/`)));
  assert.equal(await ask(restart(), A), "a");
  assert.equal((await cachedEntry(restart())).build, newer.build);
});

test("without the file list of a new build, old files are removed; the next attempt stores the new ones", async () => {
  const { site, offlineCache, restart, newer, assertRemoved } = await withdrawPage();
  const list = site.files.get(newer.files);
  site.files.set(newer.files, () => new Response("", { status: 404 }));
  await goTo(offlineCache, "");
  await offlineCache.flush();
  await assertRemoved(restart());
  site.files.set(newer.files, list);
  await goTo(offlineCache, "");
  await disconnect(site, offlineCache);
  assert.equal(await ask(restart(), newer.manifest), "two");
});

test("with Save-Data, withdrawn files are removed and nothing is prefetched", async () => {
  const { site, offlineCache, newer, assertRemoved } = await withdrawPage();
  const navigator = globalThis.navigator ?? (globalThis.navigator = {});
  Object.defineProperty(navigator, "connection", { configurable: true, value: { saveData: true } });
  try {
    await goTo(offlineCache, "");
    await offlineCache.flush();
  } finally {
    delete navigator.connection;
  }
  assert.equal(site.requests.includes(newer.manifest), false);
  await assertRemoved(offlineCache);
});

test("a response that arrives after a new build is not cached", async () => {
  const { site, offlineCache, restart, entry: older } = world();
  await offlineCache.visit({ entry: older, names: [B] });
  const pending = [];
  const slow = (text) => () => new Promise((resolve) => pending.push(() => resolve(new Response(text))));
  site.pages.set(`${SITE}secret/`, slow("secret"));
  site.files.set(A, slow("a"));
  const isStored = offlineCache.visit({ entry: older, names: [], pages: [`${SITE}secret/`] });
  const answer = ask(offlineCache, A);
  while (pending.length < 2) await new Promise((resolve) => setTimeout(resolve, 1));
  publish(site, { version: "two", texts: ["b"] });
  await cachedEntry(offlineCache);
  await new Promise((resolve) => setTimeout(resolve, 10));
  for (const respond of pending) respond();
  assert.equal(await answer, "a", "it is passed on");
  assert.equal(await isStored, false);
  await disconnect(site, offlineCache);
  for (const cache of [offlineCache, restart()]) {
    await fails(ask(cache, A));
    await fails(cache.pages.answer(new Request(`${SITE}secret/`)));
  }
});

test("the cache is bounded and keeps the engine", async () => {
  const texts = Array.from({ length: 40 }, (_, at) => `${at}`.padEnd(100, "."));
  const { site, offlineCache, caches, entry } = world({ texts, maxBytes: 4500 });
  await offlineCache.visit({ entry, names: [] });
  const first = data(texts[0])[0];
  for (const text of texts) {
    await ask(offlineCache, data(text)[0]);
    await ask(offlineCache, first);
  }
  await offlineCache.flush();
  const files = caches.all.get(names.cacheNames(BASE).files);
  const bytes = (await Promise.all([...files.entries()].filter(([url]) => !url.endsWith(".cache-index")).map(([, response]) => response.clone().text())))
    .reduce((sum, text) => sum + text.length, 0);
  assert.ok(bytes <= 4500, `${bytes}`);
  site.down = true;
  assert.equal(await ask(offlineCache, entry.core), "core");
  assert.equal(await ask(offlineCache, first), texts[0]);
  assert.equal(await ask(offlineCache, data(texts[39])[0]), texts[39]);
  await fails(ask(offlineCache, data(texts[1])[0]));
});

test("a complete download is not bounded", async () => {
  const texts = Array.from({ length: 40 }, (_, at) => `${at}`.padEnd(100, "."));
  const { site, offlineCache, restart, entry } = world({ texts, maxBytes: 3000 });
  await offlineCache.visit({ entry, names: [] });
  const fileNames = [...site.files.keys()].filter((name) => name !== "entry.json");
  const arrived = await offlineCache.fetchAll(fileNames, { whole: true });
  assert.deepEqual(arrived.filter(({ ok }) => !ok), []);
  assert.equal(await offlineCache.visit({ entry, names: [], whole: true }), true);
  await disconnect(site, offlineCache);
  for (const text of texts) assert.equal(await ask(restart(), data(text)[0]), text);
});

test("without space, responses are passed on, and a download reports it", async () => {
  const { site, offlineCache, caches, entry } = world();
  caches.room = 0;
  assert.equal(await offlineCache.visit({ entry, names: [A] }), false);
  assert.equal(await ask(offlineCache, A), "a");
  assert.deepEqual(await offlineCache.fetchAll([B], { whole: true }), [{ name: B, ok: false, reason: "quota" }]);
  await offlineCache.flush();
});

test("with little space, the least recently used files are removed", async () => {
  const texts = Array.from({ length: 8 }, (_, at) => `${at}`.padEnd(1000, "."));
  const { site, offlineCache, caches, entry } = world({ texts });
  await offlineCache.visit({ entry, names: [] });
  caches.room = 7000;
  for (const text of texts) assert.equal(await ask(offlineCache, data(text)[0]), text);
  site.down = true;
  assert.equal(await ask(offlineCache, data(texts[7])[0]), texts[7]);
  await fails(ask(offlineCache, data(texts[0])[0]));
});

test("a failing cache is ignored", async () => {
  const site = new Site();
  const entry = publish(site);
  const broken = { open: () => Promise.reject(new Error("SecurityError")), delete: () => Promise.reject(new Error()) };
  const offlineCache = new OfflineCache(BASE, { caches: broken, fetcher: site.fetcher });
  assert.equal(await ask(offlineCache, A), "a");
  assert.equal(await offlineCache.visit({ entry, names: [A] }), false);
  assert.equal((await offlineCache.entry(new Request(`${BASE}entry.json`))).status, 200);
  await offlineCache.flush();
});

test("a file that is stored during clearing is removed", async () => {
  const caches = new Caches();
  const boundedCache = new BoundedCache(caches, "boundedCache", BASE);
  const { open } = caches;
  const storing = new Promise((resolve) => {
    caches.open = async (name) => {
      const cache = await open.call(caches, name);
      return { ...cache, put: async (url, response) => (resolve(), await new Promise(setImmediate), cache.put(url, response)) };
    };
  });
  const isStored = boundedCache.put(`${SITE}a/`, new Response("a"), 1, {});
  await storing;
  await boundedCache.clear();
  assert.equal(await isStored, false);
  assert.equal(await boundedCache.get(`${SITE}a/`), undefined);
  assert.equal(caches.all.get("boundedCache").has(`${SITE}a/`), false);
});

test("pages with private or varying responses are not cached", async () => {
  const { site, offlineCache, entry } = world();
  site.pages.set(`${SITE}a/`, "a").set(`${SITE}b/`, () => new Response("b", { headers: { "cache-control": "private" } }));
  site.pages.set(`${SITE}c/`, () => new Response("c", { headers: { vary: "Accept-Encoding, Cookie" } }));
  await offlineCache.visit({ entry, names: [], pages: [`${SITE}a/`, `${SITE}b/`, `${SITE}c/`] });
  site.down = true;
  assert.equal(await (await offlineCache.pages.answer(new Request(`${SITE}a/`))).text(), "a");
  for (const page of ["b/", "c/"]) await fails(offlineCache.pages.answer(new Request(`${SITE}${page}`)));
});

test("a page that is missing, redirected or protected is removed from the cache", async () => {
  const answers = {
    404: () => new Response("", { status: 404 }),
    410: () => new Response("", { status: 410 }),
    401: () => new Response("", { status: 401 }),
    403: () => new Response("", { status: 403 }),
    0: () => Object.defineProperty(new Response(""), "type", { value: "opaqueredirect" }),
    redirected: () => Object.defineProperty(new Response("front page"), "redirected", { value: true }),
  };
  for (const [kind, answer] of Object.entries(answers)) {
    const { site, offlineCache, entry } = world();
    site.pages.set(`${SITE}a/`, "a");
    await offlineCache.visit({ entry, names: [], pages: [`${SITE}a/`] });
    site.pages.set(`${SITE}a/`, answer);
    assert.notEqual(await goTo(offlineCache, "a/"), "a", kind);
    site.down = true;
    await fails(offlineCache.pages.answer(new Request(`${SITE}a/`)));
  }
});

test("a page is revalidated with the site before it is cached", async () => {
  const { site, offlineCache, entry } = world();
  site.pages.set(`${SITE}a/`, ({ cache }) => (cache === "no-cache" ? new Response("", { status: 404 }) : new Response("a")));
  assert.equal(await offlineCache.visit({ entry, names: [], pages: [`${SITE}a/`] }), false);
  site.down = true;
  await fails(offlineCache.pages.answer(new Request(`${SITE}a/`)));
});

test("a cached page answers if the server fails or is slow", async () => {
  const { site, offlineCache, entry } = world({ timeout: 20 });
  site.pages.set(`${SITE}a/`, "cached");
  await offlineCache.visit({ entry, names: [], pages: [`${SITE}a/`] });
  const late = () => new Promise((resolve) => setTimeout(resolve, 200, new Response("late")));
  const failures = [new Response("", { status: 503 }), new Response("", { status: 429 }), Response.error()];
  for (const answer of [...failures.map((failure) => () => failure), late]) {
    site.pages.set(`${SITE}a/`, answer);
    assert.equal(await (await offlineCache.pages.answer(new Request(`${SITE}a/`))).text(), "cached");
  }
  site.pages.set(`${SITE}b/`, late);
  assert.equal(await (await offlineCache.pages.answer(new Request(`${SITE}b/`))).text(), "late", "without a cached page");
  site.pages.set(`${SITE}c/`, () => Response.redirect(`${SITE}a/`));
  assert.equal((await offlineCache.pages.answer(new Request(`${SITE}c/`))).status, 302, "the browser follows it");
});
