import { type ReadDb, type Sql, type SqlParams, sql } from '../../src/main/core/store/index.ts';

/** A handle that records the query plan of every statement it runs: its steps, joined by semicolons. */
export function withPlans(db: ReadDb): ReadDb & { plans: { name: string; plan: string }[] } {
  const plans: { name: string; plan: string }[] = [];
  const explain = ({ name, text }: Sql, params: SqlParams = {}): void => {
    const steps = db.all<{ detail: string }>(sql('test.plan', `EXPLAIN QUERY PLAN ${text}`), params);
    plans.push({ name, plan: steps.map(({ detail }) => detail).join('; ') });
  };
  return {
    plans,
    one: (statement, params) => {
      explain(statement, params);
      return db.one(statement, params);
    },
    all: (statement, params) => {
      explain(statement, params);
      return db.all(statement, params);
    },
  };
}
