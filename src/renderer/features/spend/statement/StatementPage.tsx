import { counted, formatLocale, t } from '../../../../shared/texts.ts';
import './statement.css';
import { ChevronLeft, Download, FileInput } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useEffect, useRef, useState } from 'react';
import { isPlayMoney } from '../../../../shared/profile.ts';
import type { Statement } from '../../../../shared/statement/statement.ts';
import {
  focusOnArrival,
  hashOf,
  navigate,
  printChord,
  useCall,
  useEvent,
  useKeyHint,
  usePlace,
  useRoute,
  useShortcut,
  useStudio,
} from '../../../app/index.ts';
import { Button, CallError, formatStamp, Icon, LoadingBars, plural, Select, TextArea } from '../../../ui/index.ts';
import { Equation } from './Equation.tsx';
import { saveFindings } from './findings.ts';
import { Groups } from './Groups.tsx';
import { StatementSide } from './StatementSide.tsx';
import {
  closeStatement,
  loadStatement,
  readStatement,
  readStatementFile,
  refreshStatement,
  startStatement,
  useStatementView,
} from './useStatement.ts';

const leave = (): void => navigate('spend');

/** A gateway's bill beside the ledger: the equation, then what does not agree, each line with its ways out. `?id=ST` is one that was read. */
export function StatementPage() {
  const id = useRoute().params.get('id') ?? undefined;
  const { statement, isReading, error } = useStatementView();
  usePlace('spend');
  useShortcut('page.leave', leave);
  useEffect(() => {
    if (id !== undefined) void loadStatement(id);
  }, [id]);
  useRefreshed(id);
  const shown = statement && statement.id === id ? statement : undefined;
  return (
    <main
      className="page spend statement"
      onPaste={pasteText}
      onDragOver={(event) => event.preventDefault()}
      onDrop={dropFile}
    >
      <section className="st-main" aria-label={t`Statement`} data-panel tabIndex={-1}>
        <StatementBar statement={shown} />
        {shown && <Equation statement={shown} />}
        {error && (
          <div className="pad">
            <CallError error={error} />
          </div>
        )}
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

/** What else changes the ledger changes the comparison. */
function useRefreshed(id: string | undefined): void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEvent('ledger.changed', () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      if (id !== undefined) void refreshStatement(id);
    }, REFRESH_MS);
  });
  useEffect(() => () => clearTimeout(timer.current), []);
}

const isTyping = (target: EventTarget): boolean => target instanceof Element && target.matches('input, textarea');

function pasteText(event: ClipboardEvent): void {
  const text = event.clipboardData.getData('text/plain');
  if (isTyping(event.target) || text.trim() === '') return;
  event.preventDefault();
  startStatement(text);
}

function dropFile(event: DragEvent): void {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  void readStatementFile(file);
}

const DAY = new Intl.DateTimeFormat(formatLocale(), { day: 'numeric', month: 'short' });

/** The last day is in the period, its end is not. */
function daysOf({ from, to }: Pick<Statement, 'from' | 'to'>): string {
  const [first, last] = [DAY.format(from), DAY.format(to - 1)];
  return first === last ? first : t`${first} to ${last}`;
}

const factsOf = ({ name, counts, ...period }: Statement): string =>
  [name, daysOf(period), plural(counts.bill, 'line')].filter(Boolean).join(', ');

function StatementBar({ statement }: { statement: Statement | undefined }) {
  const [isSaving, setSaving] = useState(false);
  const save = async () => {
    if (!statement) return;
    setSaving(true);
    await saveFindings(statement);
    setSaving(false);
  };
  return (
    <div className="bar">
      <Button variant="ghost" className="st-back" kbd={useKeyHint('page.leave')} onClick={leave}>
        <Icon of={ChevronLeft} />
        {t`Spend`}
      </Button>
      <h1>{t`Statement`}</h1>
      <span className="t3 cut">{statement && factsOf(statement)}</span>
      <span className="grow" />
      <Gateway />
      {statement && (
        <Button variant="ghost" onClick={closeStatement}>
          {t`Another bill`}
        </Button>
      )}
      <FileButton label={statement ? t`Another file` : t`Choose a file`} />
      {statement && (
        <Button variant="ghost" busy={isSaving} onClick={() => void save()}>
          <Icon of={Download} />
          {t`Findings, CSV`}
        </Button>
      )}
    </div>
  );
}

/** Whose bill it is: chosen before it is read, or read again for another one. */
function Gateway() {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const { profileId, text, statement } = useStatementView();
  const value = profileId ?? activeId ?? '';
  if (profiles.length < 2) return null;
  const options = profiles.map(({ id, name }) => ({
    value: id,
    label: isPlayMoney(id) ? t`${name}, play money` : name,
  }));
  return (
    <span className="st-gateway">
      <Select
        aria-label={t`Gateway`}
        options={options}
        value={value}
        disabled={statement !== undefined && text === undefined}
        onValue={(next) => void readStatement({ profileId: next })}
      />
    </span>
  );
}

function FileButton({ label }: { label: string }) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button variant="ghost" onClick={() => input.current?.click()}>
        <Icon of={FileInput} />
        {label}
      </Button>
      <input
        ref={input}
        type="file"
        hidden
        aria-label={t`File with the bill`}
        accept=".csv,.tsv,.txt,text/csv,text/plain,text/tab-separated-values"
        onChange={(event) => {
          const [file] = event.target.files ?? [];
          event.target.value = '';
          if (file) void readStatementFile(file);
        }}
      />
    </>
  );
}

/** Where a bill comes from, while there is none; those that were read before. */
function NoBill() {
  const typed = useStatementView((view) => view.typed);
  return (
    <div className="col gap st-none scroll">
      <p>
        {t`Drop the gateway’s bill here as CSV, paste it with ${printChord('Mod+V')}, or choose the file. It is compared with the ledger line by line; nothing changes until you decide about a line.`}
      </p>
      <TextArea
        className="mono"
        aria-label={t`The bill`}
        placeholder={'started_at,operation,model,amount_usd\n2026-11-13T03:12:00Z,op-7f21,video-standard,0.40'}
        value={typed}
        onValue={(text) => useStatementView.setState({ typed: text })}
        rows={8}
        spellCheck={false}
        ref={focusOnArrival}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          // A whole bill that is pasted into the empty field is what was meant to be read.
          if (typed !== '' || !pasted.includes('\n')) return;
          event.preventDefault();
          startStatement(pasted);
        }}
      />
      <div>
        <Button
          off={typed.trim() === '' ? t`Write or paste the bill first.` : undefined}
          onClick={() => startStatement(typed)}
        >
          {t`Read the bill`}
        </Button>
      </div>
      <Earlier />
    </div>
  );
}

function Earlier() {
  const profiles = useStudio((state) => state.profiles);
  const { statements = [] } = useCall('statement.list', {}).data ?? {};
  if (statements.length === 0) return null;
  const gatewayOf = (id: string) => profiles.find((profile) => profile.id === id)?.name ?? t`a removed gateway`;
  return (
    <section aria-labelledby="st-earlier">
      <h2 id="st-earlier" className="lab">{t`Read before`}</h2>
      <ul className="st-earlier">
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
