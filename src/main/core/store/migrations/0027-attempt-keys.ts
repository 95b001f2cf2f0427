/**
 * What each attempt of a job was sent with and what came of it. `key`: the idempotency key of its last request, on the wire, where that is
 * kept. `reached`: an earlier spelling of it was refused by the service. `task`: the task that its answer named; answers are compared only
 * with answers to the same key. `clock_set_back`: the clock was set back after it, so nobody knows how long ago it was.
 */
export const attemptKeys = `
ALTER TABLE attempts ADD COLUMN key TEXT;
ALTER TABLE attempts ADD COLUMN reached INTEGER NOT NULL DEFAULT 0;
ALTER TABLE attempts ADD COLUMN task TEXT;
ALTER TABLE attempts ADD COLUMN clock_set_back INTEGER NOT NULL DEFAULT 0;
`;
