import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import { formatNano } from '../../../../shared/money/money.ts';
import type { StatementLine } from '../../../../shared/money/statement/statement.ts';
import { plural, t } from '../../../../shared/text/texts.ts';
import { announce, hashOf, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  Button,
  FindingGlyph,
  formatDate,
  formatStamp,
  Icon,
  IconButton,
  Menu,
  type MenuItem,
  Refusal,
  TextAction,
  UncertainGlyph,
} from '../../../ui/index.ts';
import styles from './statement.module.css';
import { matchLine, settle, takeBack, useStatementView } from './useStatement.ts';
import { candidateWords, findingWords, MATCH_WORDS, type OpenGroup, waysOf } from './words.ts';

interface LineProps {
  line: StatementLine;
  /** Undefined if the line agrees or is decided. */
  group: OpenGroup | undefined;
}

/** One line: time, description, finding, job, and options. */
export function Line({ line, group }: LineProps) {
  const { billNano, ledgerNano, model, remoteId } = line;
  const action = useAction();
  const nano = billNano ?? ledgerNano ?? 0;
  const difference = group === 'differs' && billNano !== undefined ? billNano - (ledgerNano ?? 0) : undefined;
  return (
    <tr>
      <td className="t2 num">{timeOf(line)}</td>
      <td className="max">
        <div className="cut">
          <b>{model ?? t`No model`}</b>
          {remoteId && <span className={styles.id}> {shortId(remoteId)}</span>}
          {line.jobId && (
            <>
              {' '}
              <a className="lnk" href={hashOf('queue', { job: line.jobId })}>
                {t`Open its job`}
                <span className="vh">, {nameOf(line)}</span>
              </a>
            </>
          )}
        </div>
        <div className="t3 whole">{noteOf(line, group)}</div>
        <Refusal text={action.refusal} />
      </td>
      <td className="r">
        <span className={`row end nw ${styles.nano}`}>
          {group === 'onlyBill' && line.finding?.type !== 'refund' && <UncertainGlyph />}
          {group !== undefined && group !== 'onlyBill' && <FindingGlyph of="step" />}
          {formatNano(nano)}
        </span>
      </td>
      <td className="r num t2">
        {difference !== undefined && `${difference > 0 ? '+' : ''}${formatNano(difference)}`}
      </td>
      <td className="r">
        {group && !line.decided ? (
          <Ways line={line} group={group} action={action} />
        ) : (
          line.decided && <Decided line={line} action={action} />
        )}
      </td>
    </tr>
  );
}

const shortId = (id: string): string => (id.length > 22 ? `${id.slice(0, 20)}…` : id);

/** Distinguishes the buttons of this line from those of others. */
const nameOf = ({ model, line, at }: StatementLine): string =>
  `${model ?? t`No model`}, ${line === undefined ? formatStamp(at) : t`Line ${line}`}`;

/** A date without a time is the same in every time zone. */
const timeOf = ({ at, day }: StatementLine): string =>
  day === undefined ? formatStamp(at) : formatDate(new Date(`${day}T12:00`).getTime());

const facts = (...parts: (string | false)[]): string => parts.filter(Boolean).join(' · ');

function noteOf(line: StatementLine, group: OpenGroup | undefined): string {
  const where = line.line !== undefined && t`Line ${line.line}`;
  if (group) return facts(where, line.units !== undefined && plural(line.units, 'unit'), findingWords(line));
  const by = line.matchedBy ? MATCH_WORDS[line.matchedBy] : t`Only in Dailies`;
  const isLow = line.ledgerLowNano !== undefined && line.billNano === line.ledgerLowNano;
  return facts(where, by, isLow && t`Charged at ${formatNano(line.ledgerNano ?? 0)}`);
}

type Action = ReturnType<typeof useAction>;

function Decided({ line, action: { run, isBusy } }: { line: StatementLine; action: Action }) {
  const undo = async () => {
    const undone = await run(takeBack(line.id));
    if (undone.ok) announce(t`Undone`);
  };
  return (
    <span className="row end nw">
      <span className="t3">{line.decided?.as === 'adopt' ? t`Applied` : t`Kept`}</span>
      <TextAction busy={isBusy} onClick={() => void undo()}>
        {t`Undo`}
        <span className="vh">, {nameOf(line)}</span>
      </TextAction>
    </span>
  );
}

function Ways({ line, group, action }: { line: StatementLine; group: OpenGroup; action: Action }) {
  const { run, isBusy } = action;
  const decide = async (as: 'adopt' | 'keep') => {
    const settled = await run(settle([line.id], as));
    if (settled.ok) announce(as === 'adopt' ? t`Applied` : t`Kept as it is`);
  };
  const [first, ...others] = waysOf(group, line);
  const jobs = useCandidates(line, group, run);
  const items: MenuItem[] = [
    ...others.map(({ label, as }) => ({ id: label, label, onSelect: () => void decide(as) })),
    ...jobs.items,
  ];
  if (!first) return null;
  return (
    <span className="row end nw">
      <Button
        variant={first.as === 'adopt' && line.isClear ? 'secondary' : 'ghost'}
        busy={isBusy}
        onClick={() => void decide(first.as)}
      >
        {first.label}
        <span className="vh">, {nameOf(line)}</span>
      </Button>
      {items.length > 0 && (
        <Menu
          label={t`More options for ${nameOf(line)}`}
          trigger={
            <IconButton label={t`More options for ${nameOf(line)}`} onClick={jobs.read}>
              <Icon of={Ellipsis} />
            </IconButton>
          }
          items={items}
        />
      )}
    </span>
  );
}

/** The jobs that a line of the bill may belong to, read when its menu opens. */
function useCandidates(
  line: StatementLine,
  group: OpenGroup,
  run: Action['run'],
): { items: MenuItem[]; read: () => void } {
  const id = useStatementView(({ statement }) => statement?.id ?? '');
  const [jobs, setJobs] = useState<readonly StatementLine[]>();
  if (group !== 'onlyBill' || line.jobId !== undefined) return { items: [], read: () => undefined };
  const read = async () => {
    const found = await call('statement.candidates', { id, line: line.id });
    setJobs(found.ok ? found.data.lines.slice(0, 8) : []);
  };
  const items = (jobs ?? []).map((job, index) => ({
    id: job.id,
    label: candidateWords(job),
    onSelect: () => void run(matchLine(line.id, job.jobId ?? null)),
    separated: index === 0,
  }));
  return { items, read: () => void read() };
}
