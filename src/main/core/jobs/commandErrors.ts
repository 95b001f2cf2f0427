import { fail } from '../../../shared/contract/result.ts';
import { t } from '../../../shared/text/texts.ts';
import type { JobRow } from './row.ts';

/** Errors of calls that cannot be carried out: one sentence each. */

export const sumTooLarge = fail(
  'too_large',
  t`billedNano: with it, the sums would be more than can be counted exactly.`,
  {
    field: 'billedNano',
  },
);

export const notInDoubt = fail('wrong_state', t`Only an unconfirmed job can be resolved.`);

export const cannotSettle = (row: JobRow): string =>
  row.state === 'uncertain'
    ? t`The job is unconfirmed: look it up, or count it as lost, before its cost is confirmed.`
    : t`The job is not done. Its cost can be confirmed then.`;

export const otherProfileChosen = fail('conflict', t`Nothing was sent: another gateway was chosen meanwhile.`);

export const noSuchJob = fail('not_found', 'There is no such job.');

export function cannotCancel(row: JobRow): string {
  if (row.state === 'fetching') return t`It is made and paid for; its result is being downloaded.`;
  if (row.state === 'uncertain') return t`The job is unconfirmed: look it up, count it as lost, or send it again.`;
  return t`It has already ${row.state === 'canceled' ? t`been canceled` : row.state}.`;
}

export const noSuchProject = fail('not_found', 'projectId: there is no such project. Nothing was queued.', {
  field: 'projectId',
});
