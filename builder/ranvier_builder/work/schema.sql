-- The working database: what was read and rendered, by content (I3). It holds what is private, and is never published.
CREATE TABLE meta (key TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;

-- One row for each item of the content folder, and for each of its reduced copy: how its files looked, what they held, what was
-- read from them.
CREATE TABLE item (
  copy INTEGER NOT NULL, path TEXT NOT NULL,
  stamp BLOB NOT NULL, digest BLOB NOT NULL, neuron BLOB NOT NULL, warnings BLOB NOT NULL,
  PRIMARY KEY (copy, path)
) WITHOUT ROWID;

-- The digest of the last reduced copy, and of the site that came of it.
CREATE TABLE proof (copy BLOB PRIMARY KEY, site BLOB NOT NULL) WITHOUT ROWID;

-- The search files of the last build: a digest of their input, their names, and what the entry file says of them.
CREATE TABLE store (record BLOB NOT NULL);

-- Written files in which the last scan found nothing: digests of what it looked for, and of what it looked at.
CREATE TABLE clean (digest BLOB PRIMARY KEY) WITHOUT ROWID;

-- One row for each page: what it was made from, all that it asked about other pages, and what came of it.
CREATE TABLE page (
  path TEXT PRIMARY KEY, key BLOB NOT NULL, asked BLOB NOT NULL, html TEXT NOT NULL, parts BLOB NOT NULL
) WITHOUT ROWID;

-- One row for each HTML file: a digest of the inputs of its template, and the result.
CREATE TABLE frame (file TEXT PRIMARY KEY, inputs BLOB NOT NULL, html TEXT NOT NULL) WITHOUT ROWID;

-- The terms of each chunk, as `ranvier.text` makes them, and two searches over them that triggers hold in step [000][003].
CREATE TABLE chunk (
  id INTEGER PRIMARY KEY,
  page TEXT NOT NULL, ordinal INTEGER NOT NULL,
  name TEXT NOT NULL, title TEXT NOT NULL, tags TEXT NOT NULL, heading TEXT NOT NULL, path TEXT NOT NULL, body TEXT NOT NULL,
  again INTEGER NOT NULL,
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
CREATE TRIGGER chunk_gone AFTER DELETE ON chunk BEGIN
  INSERT INTO chunk_fts(chunk_fts, rowid, name, title, tags, heading, path, body)
  VALUES ('delete', old.id, old.name, old.title, old.tags, old.heading, old.path, old.body);
END;
CREATE TRIGGER chunk_changed AFTER UPDATE ON chunk BEGIN
  INSERT INTO chunk_fts(chunk_fts, rowid, name, title, tags, heading, path, body)
  VALUES ('delete', old.id, old.name, old.title, old.tags, old.heading, old.path, old.body);
  INSERT INTO chunk_fts(rowid, name, title, tags, heading, path, body)
  VALUES (new.id, new.name, new.title, new.tags, new.heading, new.path, new.body);
END;
