import type { ReactNode } from 'react';
import { formatNano, type Nano } from '../../../../shared/money.ts';
import type { Statement } from '../../../../shared/statement/statement.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { plural } from '../../../ui/index.ts';
import styles from './statement.module.css';

/** The bill = agrees + only on the bill + amount differs; what the ledger has besides stands apart. */
export function Equation({
  statement: { sums, counts, matched, cheaper, differs, onlyLedger },
}: {
  statement: Statement;
}) {
  const apart = differs.reduce((sum, { billNano = 0, ledgerNano = 0 }) => sum + billNano - ledgerNano, 0);
  const isAll = differs.length === counts.differs;
  return (
    <section className={styles.stSum} aria-label={t`The bill in parts`}>
      <Part name={t`The bill`} nano={sums.bill}>
        {plural(counts.bill, 'line')}
      </Part>
      <Sign>=</Sign>
      <Part name={t`Agrees`} nano={sums.matched}>
        {plural(matched, 'line')}
        {cheaper.lines > 0 && t`, on one of the readings`}
      </Part>
      <Sign>+</Sign>
      <Part name={t`Only on the bill`} nano={sums.onlyBill} isOdd={counts.onlyBill > 0}>
        {plural(counts.onlyBill, 'line')}
      </Part>
      <Sign>+</Sign>
      <Part name={t`Amount differs`} nano={sums.differs}>
        {plural(counts.differs, 'line')}
        {counts.differs > 0 && isAll && t`, by ${formatNano(apart)}`}
      </Part>
      <span className="grow" />
      <Part name={t`Only in the ledger`} nano={sums.onlyLedger} isOdd={onlyLedger.length > 0}>
        {counts.onlyLedger === 0 ? t`nothing` : t`${counted(counts.onlyLedger, 'entry', 'entries')}, not in the sum`}
      </Part>
    </section>
  );
}

interface PartProps {
  name: string;
  nano: Nano;
  /** Not explained: dashed, since it is no failure. */
  isOdd?: boolean;
  children: ReactNode;
}

function Part({ name, nano, isOdd, children }: PartProps) {
  return (
    <div className={`${styles.part} ${isOdd ? styles.odd : ''}`}>
      <span className="lab">{name}</span>
      <b>{formatNano(nano)}</b>
      <span className="t3">{children}</span>
    </div>
  );
}

const Sign = ({ children }: { children: string }) => <span className={styles.sign}>{children}</span>;
