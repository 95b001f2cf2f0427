import { Download } from 'lucide-react';
import { useEffect, useState } from 'react';
import { isPlayMoney } from '../../../../shared/gateway/profile.ts';
import { formatNano } from '../../../../shared/money/money.ts';
import type { Statement } from '../../../../shared/money/statement/statement.ts';
import { counted, formatLocale, t } from '../../../../shared/text/texts.ts';
import { hashOf, navigate, useBurst, useCall, useEvent, usePlace, useRoute, useStudio } from '../../../app/index.ts';
import { ImportBar, ImportStart, importHandlers } from '../../../tableImport/index.ts';
import {
  Button,
  CallError,
  Figure,
  formatStamp,
  Icon,
  LoadingBars,
  plural,
  Refusal,
  Select,
} from '../../../ui/index.ts';
import spendStyles from '../spend.module.css';
import { saveFindings } from './findings.ts';
import { Groups } from './Groups.tsx';
import { StatementSide } from './StatementSide.tsx';
import styles from './statement.module.css';
import { bill, loadStatement, readStatement, refreshStatement, useHasText, useStatementView } from './useStatement.ts';

const leave = (): void => navigate('spend');
const HANDLERS = importHandlers(bill);

/**
 * A gateway's bill beside the ledger: the equation, then the differences, each line with its options. `?id=ST` opens a bill that was read
 * before.
 */
export function StatementPage() {
  const id = useRoute().params.get('id') ?? undefined;
  const { statement, isReading, error } = useStatementView();
  usePlace('spend');
  const fileError = bill.useDraft((draft) => draft.error);
  useEffect(() => {
    if (id !== undefined) void loadStatement(id);
  }, [id]);
  // The comparison depends on the ledger and the jobs.
  const refresh = useBurst(() => id !== undefined && void refreshStatement(id), REFRESH_MS);
  useEvent('ledger.changed', refresh);
  useEvent('job.changed', refresh);
  const shown = statement && statement.id === id ? statement : undefined;
  return (
    <main data-page="statement" className={`page ${spendStyles.spend}`} {...HANDLERS}>
      <section className="col" aria-label={t`Check a bill`} data-panel tabIndex={-1}>
        <StatementBar statement={shown} />
        {shown && <Equation statement={shown} />}
        {error && (
          <div className="pad">
            <CallError error={error} />
          </div>
        )}
        <Refusal text={fileError} />
        {shown ? (
          <Groups statement={shown} />
        ) : isReading ? (
          <div className="pad">
            <LoadingBars rows={8} label={t`Reading the bill`} />
          </div>
        ) : (
          <NoBill />
        )}
      </section>
      <StatementSide statement={shown} />
    </main>
  );
}

const REFRESH_MS = 1_000;

const DAY = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short' });

/** The end is exclusive, so the last day is the one before it. */
function daysOf({ from, to }: Pick<Statement, 'from' | 'to'>): string {
  const [first, last] = [DAY.format(from), DAY.format(to - 1)];
  return first === last ? first : t`${first} to ${last}`;
}

function StatementBar({ statement }: { statement: Statement | undefined }) {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    if (!statement) return;
    setSaving(true);
    await saveFindings(statement);
    setSaving(false);
  };
  return (
    <ImportBar
      table={bill}
      title={<h1>{t`Check a bill`}</h1>}
      back={t`Spend`}
      onBack={leave}
      facts={statement?.name ?? ''}
    >
      <Gateway statement={statement} />
      {statement && (
        <Button variant="ghost" busy={isSaving} onClick={() => void save()}>
          <Icon of={Download} />
          {t`Export findings`}
        </Button>
      )}
    </ImportBar>
  );
}

/** The gateway of the bill: chosen before it is read; choosing another one reads it again. */
function Gateway({ statement }: { statement: Statement | undefined }) {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const profileId = useStatementView((view) => view.profileId);
  const hasText = useHasText();
  const value = profileId ?? activeId ?? '';
  if (profiles.length < 2) return null;
  const options = profiles.map(({ id, name }) => ({
    value: id,
    label: isPlayMoney(id) ? t`${name}, test money` : name,
  }));
  return (
    <span className={styles.gateway}>
      <Select
        aria-label={t`Gateway`}
        options={options}
        value={value}
        disabled={statement !== undefined && !hasText}
        onValue={(next) => void readStatement({ profileId: next })}
      />
    </span>
  );
}

/** The page without a bill: add one, or open an earlier one. */
const NoBill = () => (
  <ImportStart
    table={bill}
    label={t`The bill`}
    hint={t`A CSV file. Nothing changes until you decide.`}
    placeholder={'started_at,operation,model,amount_usd\n2026-11-13T03:12:00Z,op-7f21,video-standard,0.40'}
  >
    <Earlier />
  </ImportStart>
);

function Earlier() {
  const profiles = useStudio((state) => state.profiles);
  const { statements = [] } = useCall('statement.list', {}).data ?? {};
  if (statements.length === 0) return null;
  const gatewayOf = (id: string) => profiles.find((profile) => profile.id === id)?.name ?? t`Removed gateway`;
  return (
    <section aria-labelledby="st-earlier">
      <h2 id="st-earlier" className="lab">{t`Earlier bills`}</h2>
      <ul className="stack mt">
        {statements.map(({ id, name, profileId, readAt, from, to, lines }) => (
          <li key={id}>
            <a className="lnk" href={hashOf('spend', { id }, 'statement')}>
              {t`${name ?? t`Pasted`}, ${daysOf({ from, to })}`}
            </a>{' '}
            <span className="t3">
              {t`${gatewayOf(profileId)}, ${counted(lines, 'line')}, read ${formatStamp(readAt)}`}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The bill = match + only on the bill + amount differs. Jobs only in Dailies are separate. */
function Equation({ statement }: { statement: Statement }) {
  const { sums, counts, matched } = statement;
  return (
    <section aria-label={t`The bill`}>
      <dl className="figbar">
        <Figure name={t`The bill`} value={formatNano(sums.bill)}>
          {t`${daysOf(statement)}, ${counted(counts.bill, 'line')}`}
        </Figure>
        <Figure name={t`Match`} value={formatNano(sums.matched)} className={styles.equals}>
          {plural(matched, 'line')}
        </Figure>
        <Figure
          name={t`Only on the bill`}
          value={formatNano(sums.onlyBill)}
          className={`${styles.plus} ${oddIf(counts.onlyBill > 0)}`}
        >
          {plural(counts.onlyBill, 'line')}
        </Figure>
        <Figure name={t`Amount differs`} value={formatNano(sums.differs)} className={styles.plus}>
          {plural(counts.differs, 'line')}
        </Figure>
        <Figure
          name={t`Only in Dailies`}
          value={formatNano(sums.onlyLedger)}
          className={`end ${oddIf(counts.onlyLedger > 0)}`}
        >
          {plural(counts.onlyLedger, 'entry', 'entries')}
        </Figure>
      </dl>
    </section>
  );
}

const oddIf = (isOdd: boolean): string => (isOdd ? 'odd' : '');
