/**
 * The journal of each job, chained by hashes. Rows are only added. `facts` is what is hashed; `shown` holds the values of the facts that
 * may be taken out of what leaves; `chain` runs through the records of all jobs.
 */
export const evidence = `
CREATE TABLE evidence (
  seq INTEGER PRIMARY KEY,
  job_id TEXT NOT NULL,
  n INTEGER NOT NULL,
  at INTEGER NOT NULL,
  what TEXT NOT NULL,
  facts TEXT NOT NULL,
  shown TEXT,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  chain TEXT NOT NULL
) STRICT;
CREATE UNIQUE INDEX evidence_by_job ON evidence (job_id, n);
`;
