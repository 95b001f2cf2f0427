const MONEY = ['settled_nano', 'settled_low_nano', 'reserved_nano', 'uncertain_nano', 'unpriced'] as const;
const SUMS = [...MONEY, 'job_count'];

const month = (row: string): string => `substr(${row}.day, 1, 7)`;

/** Adds what `amount` says of each sum to the month of NEW. By day there are no sums of months. */
const add = (event: string, amount: (name: string) => string): string => `
CREATE TRIGGER ledger_month_${event.toLowerCase()} AFTER ${event} ON ledger_sums WHEN NEW.grouped_by <> 'day' BEGIN
  INSERT INTO ledger_months (play, grouped_by, month, key, profile_id, ${SUMS.join(', ')})
    VALUES (NEW.play, NEW.grouped_by, ${month('NEW')}, NEW.key, NEW.profile_id, ${SUMS.map(amount).join(', ')})
    ON CONFLICT DO UPDATE SET ${SUMS.map((name) => `${name} = ${name} + excluded.${name}`).join(', ')};
END;`;

/** In two parts, since the sum of an older ledger may be larger than an integer, for which `sum` would throw. */
const sumOf = (name: string): string => `sum(${name} / 1000000000) * 1000000000 + sum(${name} % 1000000000)`;

/** The sums of days by month, so that a report of years reads tens of rows for each thing that it is grouped by instead of a thousand. */
export const ledgerMonths = `
CREATE TABLE ledger_months (
  play INTEGER NOT NULL,
  grouped_by TEXT NOT NULL,
  month TEXT NOT NULL,
  key TEXT NOT NULL,
  profile_id TEXT NOT NULL,
  ${MONEY.map((name) => `${name} ANY NOT NULL,`).join('\n  ')}
  job_count INTEGER NOT NULL,
  PRIMARY KEY (play, grouped_by, month, key, profile_id)
) STRICT, WITHOUT ROWID;
INSERT INTO ledger_months
  SELECT play, grouped_by, ${month('s')} AS month, key, profile_id, ${MONEY.map(sumOf).join(', ')}, sum(job_count)
  FROM ledger_sums s WHERE grouped_by <> 'day' GROUP BY play, grouped_by, month, key, profile_id;
${add('INSERT', (name) => `NEW.${name}`)}
${add('UPDATE', (name) => `NEW.${name} - OLD.${name}`)}
`;
