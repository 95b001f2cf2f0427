/**
 * Text is searched by words that the program makes (`text_words`), in every script: of jobs, assets, messages, shots and the titles of
 * conversations. The shots of a board are one text, so what is searched of them has a table of its own.
 */
const TABLES = ['jobs_fts', 'assets_fts', 'messages_fts', 'shots_fts', 'conversations_fts'];
const table = (name: string) => `
CREATE VIRTUAL TABLE ${name} USING fts5 (words, content = '', contentless_delete = 1, prefix = '1 2 3', tokenize = 'ascii');`;

/** In how much memory the index of new rows is gathered before it is written; the default of SQLite is for one row after the other. */
const gatherIn = (bytes: number): string =>
  TABLES.map((name) => `INSERT INTO ${name} (${name}, rank) VALUES ('hashsize', ${bytes});`).join('\n');
const DEFAULT_BYTES = 1_048_576;

export const words = `
DROP TABLE jobs_fts;
${TABLES.map(table).join('')}
${gatherIn(64 * DEFAULT_BYTES)}

CREATE TABLE shot_texts (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  project_id TEXT NOT NULL REFERENCES projects (id),
  shot_id TEXT NOT NULL,
  title TEXT NOT NULL,
  prompt TEXT NOT NULL,
  at INTEGER NOT NULL,
  UNIQUE (project_id, shot_id)
) STRICT;

INSERT INTO jobs_fts (rowid, words) SELECT seq, text_words(request_prompt(request), model) FROM jobs;
INSERT INTO assets_fts (rowid, words)
  SELECT a.seq, text_words(a.name, a.model, (SELECT request_prompt(j.request) FROM jobs j WHERE j.id = a.job_id))
  FROM assets a WHERE a.role <> 'thumbnail';
INSERT INTO messages_fts (rowid, words)
  SELECT m.seq, text_words(CASE WHEN m.role = 'user' OR m.job_id IS NULL THEN m.text ELSE (
    SELECT coalesce(j.result ->> 'text', j.partial_text) FROM jobs j
    WHERE j.id = m.job_id AND j.state NOT IN ('queued', 'blocked', 'sending', 'running', 'fetching')) END)
  FROM messages m;
INSERT INTO shot_texts (project_id, shot_id, title, prompt, at)
  SELECT b.project_id, s.value ->> 'id', coalesce(s.value ->> 'title', ''), coalesce(s.value ->> 'prompt', ''), p.created_at
  FROM boards b JOIN projects p ON p.id = b.project_id JOIN json_each(b.shots) s
  WHERE s.value ->> 'id' IS NOT NULL ORDER BY p.created_at, b.project_id, s.key
  ON CONFLICT DO NOTHING;
INSERT INTO shots_fts (rowid, words) SELECT seq, text_words(title, prompt) FROM shot_texts;
INSERT INTO conversations_fts (rowid, words) SELECT seq, text_words(title) FROM conversations;
${gatherIn(DEFAULT_BYTES)}
`;
