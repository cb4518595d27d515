-- The working database: the results of reading and rendering (I3). It contains private text and is never published.
-- Single values. `salt`: a digest of everything except the content that affects results. Of the last build:
-- `proof`: the digests of the reduced copy and of the site that was built from it;
-- `store`: the search files: a digest of their input, their names, and their part of the entry file;
-- `clean`: digests of the files without findings in the scan; each covers the file and the searched terms.
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

-- One row for each item of the content folder and of its reduced copy: metadata of its files, their digest, and the result of
-- reading them.
CREATE TABLE item (
  copy INTEGER NOT NULL, path TEXT NOT NULL,
  stamp BLOB NOT NULL, digest BLOB NOT NULL, neuron BLOB NOT NULL, warnings BLOB NOT NULL,
  PRIMARY KEY (copy, path)
) WITHOUT ROWID;

-- One row for each page: the digest of its inputs, its link lookups with their results, and the rendered page.
CREATE TABLE page (
  path TEXT PRIMARY KEY, key BLOB NOT NULL, lookups BLOB NOT NULL, html TEXT NOT NULL, parts BLOB NOT NULL
) WITHOUT ROWID;

-- One row for each HTML file: a digest of the inputs of its template, and the result.
CREATE TABLE frame (file TEXT PRIMARY KEY, inputs BLOB NOT NULL, html TEXT NOT NULL) WITHOUT ROWID;

-- The terms of each chunk (`ranvier.text`), and a full-text index of them that triggers update [000][003].
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  page TEXT NOT NULL, ordinal INTEGER NOT NULL,
  name TEXT NOT NULL, title TEXT NOT NULL, tags TEXT NOT NULL, heading TEXT NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL,
  overlap INTEGER NOT NULL,
  UNIQUE (page, ordinal)
);
CREATE VIRTUAL TABLE chunk_fts USING fts5(
  name, title, tags, heading, path, body,
  content='chunk', content_rowid='id', tokenize="ascii tokenchars '=.+#'"
);
CREATE TRIGGER chunk_added AFTER INSERT ON chunk BEGIN
  INSERT INTO chunk_fts(rowid, name, title, tags, heading, path, body)
  VALUES (new.id, new.name, new.title, new.tags, new.heading, new.path, new.body);
END;
CREATE TRIGGER chunk_deleted AFTER DELETE ON chunk BEGIN
  INSERT INTO chunk_fts(chunk_fts, rowid, name, title, tags, heading, path, body)
  VALUES ('delete', old.id, old.name, old.title, old.tags, old.heading, old.path, old.body);
END;
