-- Three indexes and what filters, lists and boosts ask for. ranvier.text has analysed what the indexes are given, on every
-- Python alike: the `ascii` tokenizer only cuts at blanks, and the signs that are given to it here stand inside of terms.
-- Contentless: the text lives in shards of its own. Full detail and column sizes: bm25 and phrases need both.

-- One row for each chunk; its rowid is the chunk's number, so that a hit names its text without a second read.
CREATE VIRTUAL TABLE chunk_fts USING fts5(
  name, title, tags, heading, path, body,
  content='', detail=full, tokenize="ascii tokenchars '=.+#'"
);

-- One row for each Neuron: words that are spread over its chunks still meet.
CREATE VIRTUAL TABLE neuron_fts USING fts5(
  name, title, tags, heading, path, body,
  content='', detail=full, tokenize="ascii tokenchars '=.+#'"
);

-- One row for each chunk: its text as overlapping runs of three signs, for what stands inside of words.
CREATE VIRTUAL TABLE substring_fts USING fts5(
  title, heading, body,
  content='', detail=full, tokenize="ascii tokenchars '=.+#'"
);

-- Facts about Neurons. `n` numbers them in the order of their chunks, from 1; `parent` is one in the site's tree, or NULL.
-- `level` is the least audience that sees it: 0 public, 1 tool, 2 curator. `day` is that of a daily note, or ''.
CREATE TABLE neuron(
  n INTEGER PRIMARY KEY, id TEXT, seq_id TEXT, slug TEXT, title TEXT, url TEXT, path TEXT, folder TEXT, kind TEXT, modality TEXT,
  lang TEXT, role TEXT, parent INTEGER, level INTEGER, day TEXT, created TEXT, updated TEXT,
  source_type TEXT, confidence REAL, weight REAL
);
-- Whole names as one term, as in the indexes' `name`.
CREATE TABLE name(name TEXT, n INTEGER, PRIMARY KEY(name, n)) WITHOUT ROWID;
-- Every prefix of a tag, case folded; `own` is 1 for the tag itself, 0 for what is only the beginning of one.
CREATE TABLE tag(tag TEXT, n INTEGER, own INTEGER, PRIMARY KEY(tag, n)) WITHOUT ROWID;
CREATE TABLE link(source INTEGER, target INTEGER, PRIMARY KEY(source, target)) WITHOUT ROWID;
CREATE INDEX link_target ON link(target, source);
CREATE TABLE derived(n INTEGER, source INTEGER, PRIMARY KEY(n, source)) WITHOUT ROWID;
-- Notes of users that are shared.
CREATE TABLE note(n INTEGER PRIMARY KEY, text TEXT);
