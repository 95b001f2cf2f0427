/**
 * `boards.content`: what a board holds beside its shots (its cast, its sound), as one JSON object. Nights: plans that are kept under a name,
 * what a night repeats, what holds it, why one that was to open again did not, and jobs that are left out of it. `export_parts`: the files
 * that a running export has begun: what may be removed after a kill, and nothing else in its folder. `evidence`: the record of each job;
 * rows are only added.
 */
export const studio = `
ALTER TABLE boards ADD COLUMN content TEXT NOT NULL DEFAULT '{}';

ALTER TABLE night_runs ADD COLUMN settings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE night_runs ADD COLUMN held TEXT;
ALTER TABLE night_runs ADD COLUMN done_at INTEGER;
ALTER TABLE night_runs ADD COLUMN not_opened TEXT;
ALTER TABLE night_jobs ADD COLUMN left_out TEXT;
CREATE TABLE night_plans (
  id TEXT PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE exports (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  revision INTEGER NOT NULL DEFAULT 1,
  kind TEXT NOT NULL,
  state TEXT NOT NULL,
  project_id TEXT,
  name TEXT NOT NULL,
  folder TEXT NOT NULL,
  mode TEXT,
  why TEXT,
  files TEXT NOT NULL DEFAULT '[]',
  error TEXT,
  created_at INTEGER NOT NULL,
  finished_at INTEGER,
  progress INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE INDEX exports_by_project ON exports (project_id, seq);
CREATE TABLE export_parts (
  export_id TEXT NOT NULL REFERENCES exports (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  PRIMARY KEY (export_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE evidence (
  seq INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  facts TEXT NOT NULL
) STRICT;
CREATE INDEX evidence_by_job ON evidence (job_id);
`;

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
