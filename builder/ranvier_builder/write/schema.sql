-- Three indexes, and the tables of filters, lists and boosts. Their content is already analysed by `ranvier.text`, which gives
-- the same terms on every Python. So the `ascii` tokenizer only splits at blanks; its `tokenchars` occur inside of terms.
-- The indexes are contentless, because texts are in their own files. BM25 and phrases need full detail and column sizes.

-- One row for each chunk. Its rowid is the chunk's number, so the text of a hit needs no second read.
CREATE VIRTUAL TABLE chunk_fts USING fts5(
  name, title, tags, heading, path, body,
  content='', detail=full, tokenize="ascii tokenchars '=.+#'"
);

-- One row for each Neuron, for words that are in different chunks of it.
CREATE VIRTUAL TABLE neuron_fts USING fts5(
  name, title, tags, heading, path, body,
  content='', detail=full, tokenize="ascii tokenchars '=.+#'"
);

-- One row for each chunk: its trigrams, for parts of words.
CREATE VIRTUAL TABLE substring_fts USING fts5(
  title, heading, body,
  content='', detail=full, tokenize="ascii tokenchars '=.+#'"
);

-- Facts about Neurons. `n` numbers them in the order of their chunks, from 1. `parent` is the parent in the site's tree, or NULL.
-- `level` is the smallest audience that sees it: 0 public, 1 tool, 2 curator. `day` is the date of a daily note, or ''.
CREATE TABLE neuron(
  n INTEGER PRIMARY KEY, id TEXT, seq_id TEXT, slug TEXT, title TEXT, url TEXT, path TEXT, folder TEXT, kind TEXT, modality TEXT,
  lang TEXT, role TEXT, parent INTEGER, level INTEGER, day TEXT, created TEXT, updated TEXT,
  source_type TEXT, confidence REAL, weight REAL
);
-- Whole names, each as one term, as in the column `name` of the indexes.
CREATE TABLE name(name TEXT, n INTEGER, PRIMARY KEY(name, n)) WITHOUT ROWID;
-- Every level of a tag, case folded. `own` is 1 for the tag itself, 0 for a level above it.
CREATE TABLE tag(tag TEXT, n INTEGER, own INTEGER, PRIMARY KEY(tag, n)) WITHOUT ROWID;
CREATE TABLE link(source INTEGER, target INTEGER, PRIMARY KEY(source, target)) WITHOUT ROWID;
CREATE INDEX link_target ON link(target, source);
CREATE TABLE derived(n INTEGER, source INTEGER, PRIMARY KEY(n, source)) WITHOUT ROWID;
-- Shared notes of users.
CREATE TABLE note(n INTEGER PRIMARY KEY, text TEXT);
