/** The keys of calls that could spend, and what each call made: a call that is repeated with its key makes nothing more. */
export const requestKeys = `
CREATE TABLE request_keys (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  key TEXT NOT NULL UNIQUE,
  call TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  result TEXT NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX request_keys_by_age ON request_keys (at);
`;
