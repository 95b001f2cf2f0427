import type { CallName } from '../../src/shared/contract/contract.ts';
import type { StudioEvent } from '../../src/shared/contract/events.ts';

/** Objects without a revision, and the events after which pages read them again. */
export const VIEWS: [call: CallName, input: object, events: StudioEvent['type'][]][] = [
  ['projects.list', {}, ['projects.changed']],
  ['profiles.list', {}, ['profiles.changed']],
  ['prices.list', {}, ['profiles.changed']],
  ['prices.list', { profileId: 'p' }, ['profiles.changed']],
  ['settings.get', {}, ['settings.changed']],
  ['queue.status', {}, ['queue.changed']],
  ['night.get', {}, ['night.changed']],
  ['night.plans', {}, ['plans.changed']],
  ['budgets.list', {}, ['ledger.changed', 'profiles.changed']],
  ['ledger.totals', { groupBy: 'model' }, ['ledger.changed', 'profiles.changed']],
  ['quotes.list', {}, ['quotes.changed']],
  ['exports.list', {}, ['export.changed', 'export.removed']],
  ['prices.mismatches', {}, ['mismatch.changed', 'queue.changed']],
];
