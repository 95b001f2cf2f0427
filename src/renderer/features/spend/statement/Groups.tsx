import { useEffect, useRef, useState } from 'react';
import { formatNano } from '../../../../shared/money/money.ts';
import type { Statement, StatementLine } from '../../../../shared/money/statement/statement.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { call } from '../../../client/index.ts';
import { formatCount, Refusal, TableHead, TextAction } from '../../../ui/index.ts';
import { Line } from './Line.tsx';
import styles from './statement.module.css';
import { GROUP_WORDS, type OpenGroup } from './words.ts';

/** Lines that do not agree, in groups; lines that agree or were decided are shown on demand. */
export function Groups({ statement }: { statement: Statement }) {
  const { counts, sums, matched, decided } = statement;
  const agreesWhole = counts.onlyBill + counts.onlyLedger + counts.differs === 0;
  return (
    <div className="scroll">
      {agreesWhole && (
        <p className="pad t2" role="status">
          {t`The bill and the ledger agree`}
        </p>
      )}
      {(['onlyBill', 'onlyLedger', 'differs'] as const).map((group) => (
        <Group key={group} group={group} statement={statement} />
      ))}
      <Folded group="matched" count={matched} sum={formatNano(sums.matched)} statement={statement} />
      {decided > 0 && <Folded group="decided" count={decided} statement={statement} />}
    </div>
  );
}

function Group({ group, statement }: { group: OpenGroup; statement: Statement }) {
  const count = statement.counts[group];
  const more = useMore(statement, group, statement[group]);
  if (count === 0) return null;
  const id = `st-${group}`;
  return (
    <section aria-labelledby={id}>
      <div className="grp">
        <h2 id={id}>{GROUP_WORDS[group]}</h2> <span className="t3">{formatCount(count)}</span>
        <span className="grow" />
        <span>{formatNano(statement.sums[group])}</span>
      </div>
      <Lines group={group} lines={more.lines} />
      <MoreLines more={more} count={count} />
    </section>
  );
}

/** Lines that agree or were decided have no options. */
function Lines({ group, lines }: { group: OpenGroup | 'matched' | 'decided'; lines: readonly StatementLine[] }) {
  const open = group === 'matched' || group === 'decided' ? undefined : group;
  return (
    <table className={`tbl tall ${styles.lines}`}>
      <caption className="vh">{GROUP_WORDS[group]}</caption>
      <colgroup>
        <col className={styles.at} />
        <col />
        <col className={styles.nanoCol} />
        <col className={styles.apart} />
        <col className={styles.waysCol} />
      </colgroup>
      <TableHead className="vh" heads={[t`Time`, t`Item`, t`Amount`, t`Difference`, t`Options`]} />
      <tbody>
        {lines.map((line) => (
          <Line key={line.id} line={line} group={open} />
        ))}
      </tbody>
    </table>
  );
}

interface FoldedProps {
  group: 'matched' | 'decided';
  count: number;
  sum?: string;
  statement: Statement;
}

function Folded({ group, count, sum, statement }: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  const id = `st-${group}`;
  return (
    <section aria-labelledby={id}>
      <div className="grp">
        <h2 id={id}>{GROUP_WORDS[group]}</h2> <span className="t3">{formatCount(count)}</span>
        <span className="grow" />
        {sum && <span>{sum}</span>}
        {count > 0 && (
          <TextAction aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? t`Hide` : t`Show`}
            <span className="vh"> {GROUP_WORDS[group]}</span>
          </TextAction>
        )}
      </div>
      {isOpen && <Opened group={group} count={count} statement={statement} />}
    </section>
  );
}

function Opened({ group, count, statement }: FoldedProps) {
  const more = useMore(statement, group, NO_LINES);
  const read = useRef(more.next);
  read.current = more.next;
  // A decision reorders the list.
  useEffect(() => {
    if (statement.id !== '') void read.current();
  }, [statement]);
  return (
    <>
      <Lines group={group} lines={more.lines} />
      <MoreLines more={more} count={count} />
    </>
  );
}

const NO_LINES: readonly StatementLine[] = [];

interface More {
  lines: readonly StatementLine[];
  isLoading: boolean;
  error: string | undefined;
  next: () => Promise<void>;
}

/** The first lines, and further ones loaded on demand. Starts over after a decision. */
function useMore(
  statement: Statement,
  group: OpenGroup | 'matched' | 'decided',
  first: readonly StatementLine[],
): More {
  const [shown, setShown] = useState({ of: statement, lines: first });
  const [isLoading, setLoading] = useState(false);
  const [error, setError] = useState<string>();
  const lines = shown.of === statement ? shown.lines : first;
  const next = async () => {
    setLoading(true);
    const page = await call('statement.lines', { id: statement.id, group, offset: lines.length, limit: 200 });
    setLoading(false);
    setError(page.ok ? undefined : page.error.message);
    if (page.ok) setShown({ of: statement, lines: [...lines, ...page.data.lines] });
  };
  return { lines, isLoading, error, next };
}

function MoreLines({ more: { lines, isLoading, error, next }, count }: { more: More; count: number }) {
  if (error !== undefined) return <Refusal text={error} />;
  const rest = count - lines.length;
  if (rest <= 0) return null;
  return (
    <p className="pad bottom-line">
      <TextAction onClick={() => void next()}>
        {isLoading ? t`Loading` : t`Show the next of ${counted(rest, 'line')}`}
      </TextAction>
    </p>
  );
}
