import type { RestoredItem } from '../../../shared/contract/backupCalls.ts';
import { fail, ok, type Result } from '../../../shared/contract/result.ts';
import { type SavedNightPlan, savedNightPlanSchema } from '../../../shared/jobs/night.ts';
import { t } from '../../../shared/text/texts.ts';
import type { Clock, Ids } from '../ports.ts';
import { type Restorable, type Store, sql } from '../store/index.ts';

interface PlanRow {
  id: string;
  name: string;
  /** JSON of the plan. */
  plan: string;
}

const all = sql('night.savedPlans', 'SELECT id, name, plan FROM night_plans ORDER BY name');
const byName = sql('night.savedPlan', 'SELECT id, name, plan FROM night_plans WHERE name = $name');
const change = sql('night.changePlan', 'UPDATE night_plans SET name = $name, plan = $plan WHERE id = $id');
const insert = sql(
  'night.savePlan',
  `INSERT INTO night_plans (id, name, plan, created_at) VALUES ($id, $name, $plan, $now)
   ON CONFLICT (name) DO UPDATE SET plan = $plan`,
);
const remove = sql('night.removePlan', 'DELETE FROM night_plans WHERE id = $id');

const differing = (one: 'main' | 'past', other: 'main' | 'past') =>
  sql(
    'night.plansOfBackup',
    `SELECT a.id, a.name FROM ${one}.night_plans a WHERE NOT EXISTS (SELECT 1 FROM ${other}.night_plans b
       WHERE b.id = a.id AND b.name = a.name AND b.plan = a.plan) ORDER BY a.name`,
  );
const [goneSince, backFromBackup] = [differing('main', 'past'), differing('past', 'main')];
const removeAll = sql('night.removePlans', 'DELETE FROM night_plans');
const takePast = sql('night.takePlans', 'INSERT INTO night_plans SELECT * FROM past.night_plans');

const itemOf = ({ id, name }: Pick<PlanRow, 'id' | 'name'>): RestoredItem => ({ type: 'plan', id, title: name });

const noPlan = fail('not_found', 'id: there is no such plan.', { field: 'id' });

/** Plans that are kept under a name. Keeping one plans no night. */
export class SavedPlans {
  private readonly deps: { store: Store; clock: Clock; ids: Pick<Ids, 'id'>; changed(): void };

  constructor(deps: SavedPlans['deps']) {
    this.deps = deps;
  }

  list(): SavedNightPlan[] {
    return this.deps.store.read.all<PlanRow>(all).flatMap((row) => planFrom(row) ?? []);
  }

  /** A plan of the same name is replaced, and keeps its id. With an id, that plan is changed, and goes by this name from now on. */
  save({ id, name, plan }: Omit<SavedNightPlan, 'id'> & { id?: string | undefined }): Result<SavedNightPlan> {
    const { store, clock, ids } = this.deps;
    const saved = store.transaction((db): Result<string> => {
      const named = db.one<PlanRow>(byName, { name })?.id;
      const text = JSON.stringify(plan);
      if (id === undefined) {
        const known = named ?? ids.id('plan');
        db.run(insert, { id: known, name, plan: text, now: clock.now() });
        return ok(known);
      }
      if (named !== undefined && named !== id)
        return fail('conflict', t`name: another plan is kept as ${name}.`, { field: 'name' });
      return db.run(change, { id, name, plan: text }) === 0 ? noPlan : ok(id);
    });
    if (!saved.ok) return saved;
    this.deps.changed();
    return ok({ id: saved.data, name, plan });
  }

  /** Plans that are kept are as they were in a backup; nights that were planned are a record and stay. */
  restorable(): Restorable {
    return {
      preview: (db) => ({
        gone: db.all<PlanRow>(goneSince).map(itemOf),
        back: db.all<PlanRow>(backFromBackup).map(itemOf),
      }),
      restore: (db) => {
        db.run(removeAll);
        db.run(takePast);
        return () => this.deps.changed();
      },
    };
  }

  remove(id: string): Result<null> {
    const removed = this.deps.store.transaction((db) => db.run(remove, { id }));
    if (removed === 0) return noPlan;
    this.deps.changed();
    return ok(null);
  }
}

/** A plan of an older version gets today's defaults; one that no longer parses is left out. */
function planFrom({ id, name, plan }: PlanRow): SavedNightPlan | undefined {
  const parsed = savedNightPlanSchema.safeParse(JSON.parse(plan));
  return parsed.success ? { id, name, plan: parsed.data } : undefined;
}
