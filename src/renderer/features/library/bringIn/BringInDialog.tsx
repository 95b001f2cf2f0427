import { Info, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { safeName } from '../../../../shared/text/safeText.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { showRefusal } from '../../../app/index.ts';
import { Button, CheckGlyph, Dialog, formatBytes, formatCount, Icon, ProgressBar } from '../../../ui/index.ts';
import { binChosen } from '../bulkActions.ts';
import { clearFilters, selectAsset } from '../state.ts';
import styles from './bringIn.module.css';
import { bringIn, type Coming, closeBringIn, freshOf, useBringIn } from './bringIn.ts';

/** Import of files from elsewhere: errors first, then files that are here already, then new ones, and one button. */
export function BringInDialog() {
  const { phase, of, refused, known, coming } = useBringIn();
  if (phase === 'closed') return null;
  const count = Math.max(of, known.length + coming.length + refused.length);
  return (
    <Dialog open onClose={closeBringIn} title={t`Import ${counted(count, 'file')}`} width={720} footer={<Footer />}>
      <div className={`col gap ${styles.bringIn}`}>
        <Progress />
        <Summary />
        <Part title={t`Not imported`} count={refused.length}>
          {refused.slice(0, MOST_SHOWN).map(({ file, message }) => (
            <Row key={`${file} ${message}`} mark={<Icon of={X} />} file={file} words={message} isFault />
          ))}
        </Part>
        <Part title={t`Already here`} count={known.length}>
          {known.slice(0, MOST_SHOWN).map(({ name, checked }) => (
            <Row key={name} mark={<Icon of={Info} />} file={name} words={safeName(checked.asset?.name ?? '')} />
          ))}
        </Part>
        <Part title={phase === 'done' ? t`Imported` : t`New`} count={coming.length}>
          {coming.slice(0, MOST_SHOWN).map((one) => (
            <Row key={one.name} mark={<CheckGlyph />} file={one.name} words={wordsOf(one)} />
          ))}
        </Part>
      </div>
    </Dialog>
  );
}

/** Rows per part; the rest is a number. */
const MOST_SHOWN = 200;

const wordsOf = ({ sidecar, checked, file }: Coming): string => {
  const prompt = checked.prompt === undefined ? undefined : safeName(checked.prompt);
  return prompt || (sidecar === undefined ? t`No history, ${formatBytes(file.size)}` : t`With history`);
};

function Progress() {
  const { phase, at, of } = useBringIn();
  if (phase !== 'reading' && phase !== 'copying') return null;
  const words = phase === 'reading' ? t`Reading` : t`Importing`;
  return (
    <div>
      <p className="t2">{t`${words}, ${formatCount(at)} of ${formatCount(of)}`}</p>
      <ProgressBar percent={of === 0 ? 100 : (at / of) * 100} label={words} />
    </div>
  );
}

function Summary() {
  const { phase, refused, known, taken } = useBringIn();
  if (phase !== 'done') return null;
  return (
    <p role="status">
      {t`${formatCount(taken.length)} imported, ${formatCount(known.length)} already here, ${formatCount(refused.length)} not imported`}
    </p>
  );
}

interface PartProps {
  title: string;
  count: number;
  children: ReactNode;
}

function Part({ title, count, children }: PartProps) {
  if (count === 0) return null;
  return (
    <section aria-label={title}>
      <h3>
        {title} <span className="t3">{formatCount(count)}</span>
      </h3>
      <ul>{children}</ul>
      {count > MOST_SHOWN && <p className="t3">{t`And ${formatCount(count - MOST_SHOWN)} more`}</p>}
    </section>
  );
}

interface RowProps {
  mark: ReactNode;
  file: string;
  words: string;
  isFault?: boolean;
}

const Row = ({ mark, file, words, isFault }: RowProps) => (
  <li>
    <span className={isFault ? 'fail' : 't3'} aria-hidden="true">
      {mark}
    </span>
    <span className="mono cut" title={safeName(file)}>
      {safeName(file)}
    </span>
    <span className={isFault ? '' : 't2 cut'}>{words}</span>
  </li>
);

function Footer() {
  const { phase, coming, known, taken } = useBringIn();
  const fresh = freshOf({ taken, coming });
  if (phase === 'done')
    return (
      <>
        {fresh.length > 0 && <Button onClick={() => void undo(fresh)}>{t`Undo`}</Button>}
        {taken.length > 0 && <Button onClick={() => show(taken[0])}>{t`Show`}</Button>}
        <Button variant="primary" onClick={closeBringIn}>
          {t`Done`}
        </Button>
      </>
    );
  const isBare = known.some(({ checked }) => checked.undescribed);
  const nothing = coming.length === 0 && !isBare ? t`Nothing new to import.` : undefined;
  const off = phase === 'ready' ? nothing : t`The import is still running.`;
  const label = coming.length === 0 && isBare ? t`Add history` : t`Import ${formatCount(coming.length)}`;
  return (
    <>
      <Button onClick={closeBringIn}>{phase === 'copying' ? t`Stop` : t`Cancel`}</Button>
      <Button variant="primary" off={off} onClick={() => void bringIn()}>
        {label}
      </Button>
    </>
  );
}

function show(id: string | undefined): void {
  clearFilters();
  selectAsset(id);
  closeBringIn();
}

/** Moves the imported files to the bin. Files that were here before stay, with the metadata they were given. */
async function undo(taken: readonly string[]): Promise<void> {
  closeBringIn();
  const binned = await binChosen({ ids: new Set(taken) });
  if (!binned.ok) showRefusal(binned.error);
}
