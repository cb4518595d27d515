-- One row for each chunk; its rowid is the chunk's number, so that a hit names its text without a second read.
-- Contentless: the text lives in shards of its own. Full detail and column sizes: bm25 and phrases need both.
-- The `ascii` tokenizer only cuts at blanks here: ranvier.text has analysed what it is given, on every Python alike.
CREATE VIRTUAL TABLE chunk_fts USING fts5(
  title, tags, heading, body,
  content='', detail=full, tokenize='ascii'
);
