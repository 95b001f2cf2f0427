import { ChevronRight } from 'lucide-react';
import type { EvidencePreview } from '../../../../shared/evidence/calls.ts';
import { formatNano, formatNanoRange } from '../../../../shared/money.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { Figure, Icon, plural } from '../../../ui/index.ts';
import { madeWords, onlyOf } from './recordWords.ts';

/** Ordered, made, stated, billed: the same four for a job, a night and a month. What no bill has said yet is dashed. */
export function FiguresBar({ preview }: { preview: EvidencePreview }) {
  const { sums, jobs } = preview;
  const only = onlyOf(preview)?.figures;
  const ordered = only ? only.ordered : { lowNano: sums.orderedNano, nano: sums.orderedNano };
  const unpriced = sums.unpriced > 0 ? t`, ${sums.unpriced} not priced` : '';
  const refused = sums.refused > 0 ? t`${sums.refused} refused` : t`none refused`;
  const isBilled = sums.billedNano !== null;
  return (
    <dl className="figbar">
      <Figure name={t`Ordered`} value={ordered ? formatNanoRange(ordered.lowNano, ordered.nano) : '–'}>
        {only ? only.settings : `${plural(jobs, 'job')}${unpriced}`}
      </Figure>
      <Icon of={ChevronRight} />
      <Figure name={t`Made`} value={only ? madeWords(only) : String(sums.made)}>
        {only ? plural(only.made.results, 'result') : refused}
      </Figure>
      <Icon of={ChevronRight} />
      <Figure name={t`Stated`} value={orDash(sums.statedNano)}>
        {statedBy(preview)}
      </Figure>
      <Icon of={ChevronRight} />
      <Figure className={isBilled ? undefined : 'odd'} name={t`Billed`} value={orDash(sums.billedNano)}>
        {isBilled ? t`by the bill` : t`no bill that was read has it`}
      </Figure>
      <Figure className="end" name={t`Asked back`} value={formatNano(sums.askedBackNano)}>
        {jobs === 1 ? t`asked less due` : t`in ${sums.differ} of ${counted(jobs, 'job')}`}
      </Figure>
    </dl>
  );
}

const orDash = (nano: number | null): string => (nano === null ? '–' : formatNano(nano));

function statedBy(preview: EvidencePreview): string {
  const { sums } = preview;
  const stated = onlyOf(preview)?.figures.stated;
  if (stated) return t`by the answer, ${stated.by}`;
  return sums.stated === 0 ? t`no answer stated a cost` : t`by ${counted(sums.stated, 'answer')}`;
}
