import type { EvidenceLine, EvidencePreview } from '../../../../shared/evidence/calls.ts';
import { differenceNano, madeWords } from '../../../../shared/evidence/figures.ts';
import { formatNano, formatNanoDifference } from '../../../../shared/money/money.ts';
import { t } from '../../../../shared/text/texts.ts';
import { hashOf } from '../../../app/index.ts';
import { FindingGlyph, formatCount, TableHead } from '../../../ui/index.ts';
import styles from './evidence.module.css';

/** Used when an unconfirmed job is among them: it does not agree, but no difference is known. */
const NOTHING_FOUND = t`No difference found`;

/** The jobs of a run or a month: differences first, the others as one line each. */
export function ManyEvidence({ preview }: { preview: EvidencePreview }) {
  const { differ, agree, sums, jobs, agreeNano } = preview;
  const agreeing = jobs - sums.differ;
  return (
    <div className="scroll">
      <div className="grp">
        {t`Differences`} <span className="t3">{formatCount(sums.differ)}</span>
        <span className="grow" />
        <span>{formatNano(sums.askedBackNano)}</span>
      </div>
      {differ.length > 0 && <Lines lines={differ} label={t`Differences`} />}
      <Rest shown={differ.length} of={sums.differ} />
      <div className="grp">
        {NOTHING_FOUND} <span className="t3">{formatCount(agreeing)}</span>
        <span className="grow" />
        <span>{formatNano(agreeNano)}</span>
      </div>
      {agree.length > 0 && <Lines lines={agree} label={NOTHING_FOUND} />}
      <Rest shown={agree.length} of={agreeing} />
    </div>
  );
}

const Rest = ({ shown, of }: { shown: number; of: number }) =>
  shown < of ? <p className="pad t3">{t`${of - shown} more`}</p> : null;

const orDash = (nano: number | undefined): string => (nano === undefined ? '–' : formatNano(nano));

const Lines = ({ lines, label }: { lines: readonly EvidenceLine[]; label: string }) => (
  <table className={`tbl ${styles.many}`}>
    <caption className="vh">{label}</caption>
    <TableHead
      heads={[t`Job`, t`Model`, [t`Requested`, 'r'], t`Made`, [t`Stated`, 'r'], [t`Billed`, 'r'], [t`Difference`, 'r']]}
    />
    <tbody>
      {lines.map(({ jobId, title, figures, unproven }) => (
        <tr key={jobId}>
          <td className="cut">
            <a className="lnk" href={hashOf('spend', { job: jobId }, 'evidence')}>
              {title}
            </a>
            {unproven && <span className="t3"> {t`No records`}</span>}
          </td>
          <td className="t2 cut">{figures.model ?? figures.kind}</td>
          <td className="r nums">{orDash(figures.ordered?.nano)}</td>
          <td className="cut">
            {figures.differs.length > 0 && <FindingGlyph of="step" />} {madeWords(figures)}
          </td>
          <td className="r nums">{orDash(figures.stated?.nano)}</td>
          <td className="r nums t3">{orDash(figures.billedNano)}</td>
          <td className="r nums">
            {differenceNano(figures) === 0 ? '–' : formatNanoDifference(differenceNano(figures))}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);
