import { formatNano } from '../../../../shared/money.ts';
import type { Statement } from '../../../../shared/statement/statement.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { Figure, plural } from '../../../ui/index.ts';
import styles from './statement.module.css';

/** The bill = agrees + only on the bill + amount differs; what the ledger has besides stands apart. */
export function Equation({ statement }: { statement: Statement }) {
  const { sums, counts, matched, cheaper, differs, onlyLedger } = statement;
  const apart = differs.reduce((sum, { billNano = 0, ledgerNano = 0 }) => sum + billNano - ledgerNano, 0);
  const isAll = differs.length === counts.differs;
  return (
    <section aria-label={t`The bill in parts`}>
      <dl className="figbar">
        <Figure name={t`The bill`} value={formatNano(sums.bill)}>
          {plural(counts.bill, 'line')}
        </Figure>
        <Sign>=</Sign>
        <Figure name={t`Agrees`} value={formatNano(sums.matched)}>
          {plural(matched, 'line')}
          {cheaper.lines > 0 && t`, on one of the readings`}
        </Figure>
        <Sign>+</Sign>
        <Figure name={t`Only on the bill`} value={formatNano(sums.onlyBill)} className={oddIf(counts.onlyBill > 0)}>
          {plural(counts.onlyBill, 'line')}
        </Figure>
        <Sign>+</Sign>
        <Figure name={t`Amount differs`} value={formatNano(sums.differs)}>
          {plural(counts.differs, 'line')}
          {counts.differs > 0 && isAll && t`, by ${formatNano(apart)}`}
        </Figure>
        <Figure
          name={t`Only in the ledger`}
          value={formatNano(sums.onlyLedger)}
          className={`end ${oddIf(onlyLedger.length > 0)}`}
        >
          {counts.onlyLedger === 0 ? t`nothing` : t`${counted(counts.onlyLedger, 'entry', 'entries')}, not in the sum`}
        </Figure>
      </dl>
    </section>
  );
}

const oddIf = (isOdd: boolean): string => (isOdd ? 'odd' : '');

const Sign = ({ children }: { children: string }) => (
  <div className={styles.sign} aria-hidden="true">
    {children}
  </div>
);
