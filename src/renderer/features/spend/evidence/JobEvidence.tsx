import { CheckSquare, EyeOff } from 'lucide-react';
import type { EvidenceFault, EvidenceLine } from '../../../../shared/evidence/calls.ts';
import {
  billedOrStatedNano,
  differenceNano,
  expectedOf,
  type JobFigures,
} from '../../../../shared/evidence/figures.ts';
import { type EvidenceRecord, type Redaction, takenOutOf } from '../../../../shared/evidence/record.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import { plural, t } from '../../../../shared/text/texts.ts';
import { useCall } from '../../../app/index.ts';
import { FindingGlyph, formatClockSeconds, formatStamp, Icon, Reading, TableHead } from '../../../ui/index.ts';
import styles from './evidence.module.css';
import { lineOf, titleOf } from './recordWords.ts';

/** One job: differences first, then its records. */
export function JobEvidence({ line, redact }: { line: EvidenceLine; redact: readonly Redaction[] }) {
  const read = useCall('evidence.journal', { jobId: line.jobId }, { on: ['job.changed', 'ledger.changed'] });
  const { data } = read;
  return (
    <>
      <Facts figures={line.figures} />
      <div className="grp">
        {t`Records`}
        <span className="t3">
          {line.unproven ? begins(data?.recordsBegin) : (data?.records.length ?? line.records)}
        </span>
        <span className="grow" />
        {data && !line.unproven && <Whole faults={data.faults} />}
      </div>
      <div className="scroll">
        <Reading of={read} rows={6}>
          {({ records }) => records.length > 0 && <Records records={records} redact={redact} />}
        </Reading>
      </div>
    </>
  );
}

const begins = (at: number | undefined): string => (at === undefined ? t`None` : t`From ${formatStamp(at)}`);

function Whole({ faults: [fault] }: { faults: readonly EvidenceFault[] }) {
  return fault === undefined ? (
    <span className={`row ${styles.evWhole}`}>
      <Icon of={CheckSquare} />
      {t`Matches the ledger`}
    </span>
  ) : (
    <span className="fail" role="alert">
      {fault.message}
    </span>
  );
}

const NAMES: Readonly<Record<string, string>> = {
  type: t`Type`,
  seconds: t`Length`,
  size: t`Size`,
  aspect: t`Shape`,
  audio: t`Sound`,
  count: t`Number`,
  picture: t`Picture`,
};

const FACT_COLUMNS = ['mark', 'name', 'ordered', 'where', 'made', 'who'];

function Facts({ figures }: { figures: JobFigures }) {
  const { differs } = figures;
  const isPriceOther = differenceNano(figures) !== 0;
  const count = differs.length + (isPriceOther ? 1 : 0);
  const agreed = agreeing(figures);
  return (
    <>
      <div className="grp">
        {t`Differences`}
        <span className="t3">{t`${count} of ${count + agreed.length}`}</span>
      </div>
      <table className={`tbl ${styles.facts}`}>
        <colgroup>
          {FACT_COLUMNS.map((name) => (
            <col key={name} data-column={name} />
          ))}
        </colgroup>
        <tbody>
          {isPriceOther && <PriceRow figures={figures} />}
          {differs.map((one) => (
            <tr key={`${one.what} ${one.made}`}>
              <td>
                <FindingGlyph of="step" />
              </td>
              <th scope="row">{NAMES[one.what] ?? one.what}</th>
              <td className="r">{one.ordered}</td>
              <td className="t3">{t`Requested`}</td>
              <td className="r">
                <b>{one.made}</b>
              </td>
              <td className="t3">{t`Made`}</td>
            </tr>
          ))}
          <tr>
            <td className="t3">
              <FindingGlyph of="level" />
            </td>
            <th scope="row">{t`Match`}</th>
            <td className="t3" colSpan={4}>
              {agreed.join(', ') || t`Nothing`}
            </td>
          </tr>
        </tbody>
      </table>
    </>
  );
}

function PriceRow({ figures }: { figures: JobFigures }) {
  const { priceSource, billedNano } = figures;
  const source = priceSource ?? t`Price list`;
  return (
    <tr>
      <td>
        <FindingGlyph of="step" />
      </td>
      <th scope="row">{t`Price`}</th>
      <td className="r nums">{formatNano(expectedOf(figures)?.nano ?? 0)}</td>
      <td className="t3 cut" title={priceSource}>
        {source}
      </td>
      <td className="r nums">
        <b>{formatNano(billedOrStatedNano(figures) ?? 0)}</b>
      </td>
      <td className="t3">{billedNano === undefined ? t`Stated` : t`Billed`}</td>
    </tr>
  );
}

/** The checks that passed. */
function agreeing(figures: JobFigures): string[] {
  const { differs, compared, attempts, operation } = figures;
  const odd = new Set(differs.map(({ what }) => what));
  const isPriced = billedOrStatedNano(figures) !== undefined && expectedOf(figures) !== undefined;
  const isPriceRight = isPriced && differenceNano(figures) === 0;
  // A result of another type has none of the requested properties.
  const isComparable = compared && !odd.has('type');
  const made = isComparable ? (['seconds', 'size', 'audio', 'count'] as const).filter((what) => !odd.has(what)) : [];
  return [
    ...(isPriceRight ? [t`Price`] : []),
    ...made.map((what) => NAMES[what] ?? what),
    ...(operation === undefined ? [] : [t`Operation`]),
    ...(attempts === 1 ? [plural(1, 'attempt')] : []),
  ];
}

const Records = ({ records, redact }: { records: readonly EvidenceRecord[]; redact: readonly Redaction[] }) => (
  <table className={`tbl ${styles.records}`}>
    <TableHead heads={[t`Time`, t`Item`, [t`Info`, 'vh'], t`Left out`]} />
    <tbody>
      {records.map((record, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: records are only added, at the end.
        <tr key={index}>
          <td className="mono t3">{formatClockSeconds(record.at)}</td>
          <td>
            <b>{titleOf(record)}</b>
          </td>
          <td className="cut t2" title={lineOf(record)}>
            {lineOf(record)}
          </td>
          <td className="t2">
            <TakenOut names={takenOutOf(record, redact)} />
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const TakenOut = ({ names }: { names: readonly string[] }) =>
  names.length > 0 && (
    <span className="row">
      <Icon of={EyeOff} />
      <span className="cut">{names.join(', ')}</span>
    </span>
  );
