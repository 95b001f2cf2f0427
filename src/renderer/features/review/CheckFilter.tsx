import type { NightReport } from '../../../shared/night.ts';
import { counted, t } from '../../../shared/texts.ts';
import { formatClock, formatStamp, PriceWords, Segmented } from '../../ui/index.ts';
import { CheckMark } from './CheckMark.tsx';
import { type CheckState, STATES } from './checks.ts';
import { CHECK_WORDS } from './findingWords.ts';
import styles from './review.module.css';

interface CheckFilterProps {
  report: NightReport;
  countOf: (state: CheckState) => number;
  value: CheckState | undefined;
  onValue: (state: CheckState | undefined) => void;
}

/** What an overnight run made, and which of it is shown by its quality check. */
export function CheckFilter({ report, countOf, value, onValue }: CheckFilterProps) {
  const { made, refused, spent, firstSentAt, lastEndedAt } = report;
  return (
    <div className={styles.night}>
      {firstSentAt !== undefined && (
        <b>
          {lastEndedAt === undefined
            ? formatStamp(firstSentAt)
            : `${formatStamp(firstSentAt)}–${formatClock(lastEndedAt)}`}
        </b>
      )}
      <span className="t2 cut">
        {t`${counted(made, 'new take')}`}
        {refused > 0 && t`, ${refused} refused`}
        {t`, charged`}{' '}
        <PriceWords nano={spent.settledNano} lowNano={spent.settledLowNano} as="most" unpriced={spent.unpriced} />
      </span>
      <span className="grow" />
      <Segmented
        small
        aria-label={t`Quality check`}
        value={value ?? 'all'}
        onValue={(next) => onValue(next === 'all' ? undefined : next)}
        options={[
          { value: 'all' as const, label: t`All` },
          ...STATES.map((state) => ({
            value: state,
            name: `${CHECK_WORDS[state]} ${countOf(state)}`,
            off: countOf(state) === 0 && state !== value,
            label: (
              <>
                <CheckMark state={state} /> {CHECK_WORDS[state]} {countOf(state)}
              </>
            ),
          })),
        ]}
      />
    </div>
  );
}
