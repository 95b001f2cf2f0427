import { ChevronRight } from 'lucide-react';
import type { EvidencePreview } from '../../../../shared/evidence/calls.ts';
import { formatNano, formatNanoRange } from '../../../../shared/money.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { Icon, plural } from '../../../ui/index.ts';
import styles from './evidence.module.css';
import { madeWords } from './recordWords.ts';

/** Ordered, made, stated, billed: the same four for a job, a night and a month. What no bill has said yet is dashed. */
export function FiguresBar({ preview }: { preview: EvidencePreview }) {
  const { sums, jobs } = preview;
  const [only] = jobs === 1 ? [...preview.differ, ...preview.agree] : [];
  const made = only ? madeWords(only.figures) : String(sums.made);
  return (
    <dl className={styles.evFigs}>
      <Figure name={t`Ordered`} value={orderedOf(preview)}>
        {only
          ? only.figures.settings
          : `${plural(jobs, 'job')}${sums.unpriced > 0 ? t`, ${sums.unpriced} not priced` : ''}`}
      </Figure>
      <Icon of={ChevronRight} />
      <Figure name={t`Made`} value={made}>
        {only
          ? plural(only.figures.made.results, 'result')
          : sums.refused > 0
            ? t`${sums.refused} refused`
            : t`none refused`}
      </Figure>
      <Icon of={ChevronRight} />
      <Figure name={t`Stated`} value={sums.statedNano === null ? '–' : formatNano(sums.statedNano)}>
        {statedBy(preview)}
      </Figure>
      <Icon of={ChevronRight} />
      <div className={sums.billedNano === null ? styles.open : undefined}>
        <dt>{t`Billed`}</dt>
        <dd>{sums.billedNano === null ? '–' : formatNano(sums.billedNano)}</dd>
        <dd className="t3">{sums.billedNano === null ? t`no bill that was read has it` : t`by the bill`}</dd>
      </div>
      <div className="end">
        <dt>{t`Asked back`}</dt>
        <dd>{formatNano(sums.askedBackNano)}</dd>
        <dd className="t3">{jobs === 1 ? t`asked less due` : t`in ${sums.differ} of ${counted(jobs, 'job')}`}</dd>
      </div>
    </dl>
  );
}

function statedBy({ sums, jobs, differ, agree }: EvidencePreview): string {
  const [only] = jobs === 1 ? [...differ, ...agree] : [];
  if (only?.figures.stated) return t`by the answer, ${only.figures.stated.by}`;
  return sums.stated === 0 ? t`no answer stated a cost` : t`by ${counted(sums.stated, 'answer')}`;
}

function orderedOf({ sums, jobs, differ, agree }: EvidencePreview): string {
  const [only] = jobs === 1 ? [...differ, ...agree] : [];
  if (only)
    return only.figures.ordered ? formatNanoRange(only.figures.ordered.lowNano, only.figures.ordered.nano) : '–';
  return formatNano(sums.orderedNano);
}

function Figure({ name, value, children }: { name: string; value: string; children: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
      <dd className="t3 cut">{children}</dd>
    </div>
  );
}
