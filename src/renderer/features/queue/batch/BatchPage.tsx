import { formatLocale, t } from '../../../../shared/texts.ts';
import './batch.css';
import { ChevronLeft, Download, RotateCcw } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import { MAX_BATCH_TEXT } from '../../../../shared/batch.ts';
import { focusOnArrival, navigate, printChord, useKeyHint, usePlace, useShortcut } from '../../../app/index.ts';
import {
  Button,
  formatCount,
  Icon,
  Kbd,
  LoadingBars,
  plural,
  Refusal,
  rich,
  Tabs,
  TextArea,
} from '../../../ui/index.ts';
import { BatchList, type BatchListHandle } from './BatchList.tsx';
import { BatchSide } from './BatchSide.tsx';
import { template } from './batchText.ts';
import { FileButton } from './FileButton.tsx';
import { saveText } from './saveText.ts';
import { readBatchFile, startBatch, useBatchDraft } from './useBatchDraft.ts';
import { type ReadingNow, useBatchReading } from './useBatchReading.ts';
import { type Shown, useBatchRows } from './useBatchRows.ts';

/** Many jobs from one text: every line with its price or with what is wrong in it, and the one button that queues them all. */
export function BatchPage() {
  const { text, error } = useBatchDraft();
  const now = useBatchReading();
  const [shown, setShown] = useState<Shown>('all');
  const rows = useBatchRows(now.reading, shown);
  const list = useRef<BatchListHandle>(null);
  const isEmpty = text.trim() === '';
  usePlace('batch');
  useShortcut('page.leave', () => navigate('queue'));
  useShortcut('batch.read', now.reload);
  useShortcut('batch.nextError', () => {
    if (shown !== 'all' && shown !== 'bad') setShown('all');
    list.current?.nextError(shown === 'bad' ? undefined : now.reading?.badAt);
  });
  return (
    <main className="page batch" onPaste={pasteText} onDragOver={(event) => event.preventDefault()} onDrop={dropFile}>
      <section className="batch-main" aria-label={t`Import jobs`} data-panel tabIndex={-1}>
        <ImportBar now={now} isEmpty={isEmpty} />
        <LinesBar now={now} shown={shown} onShown={setShown} />
        {isEmpty ? (
          <NoText />
        ) : now.reading ? (
          <BatchList ref={list} rows={rows} key={shown} />
        ) : (
          <div className="pad">{now.error ? null : <LoadingBars rows={8} label={t`Reading the lines`} />}</div>
        )}
        <Refusal text={error ?? (isEmpty ? undefined : now.error?.message)} />
      </section>
      <BatchSide now={now} />
    </main>
  );
}

const isTyping = (target: EventTarget): boolean => target instanceof Element && target.matches('input, textarea');

function pasteText(event: ClipboardEvent): void {
  const text = event.clipboardData.getData('text/plain');
  if (isTyping(event.target) || text.trim() === '') return;
  event.preventDefault();
  startBatch(text, 'pasted');
}

function dropFile(event: DragEvent): void {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  void readBatchFile(file);
}

const TIME = new Intl.DateTimeFormat(formatLocale(), { hour: '2-digit', minute: '2-digit', second: '2-digit' });

function ImportBar({ now: { reading, at, reload }, isEmpty }: { now: ReadingNow; isEmpty: boolean }) {
  const name = useBatchDraft((draft) => draft.name);
  const facts = reading && [name, plural(reading.lines.all, 'line'), t`read ${TIME.format(at)}`];
  const readKey = useKeyHint('batch.read');
  return (
    <div className="bar">
      <Button variant="ghost" className="back" kbd={useKeyHint('page.leave')} onClick={() => navigate('queue')}>
        <Icon of={ChevronLeft} />
        {t`Queue`}
      </Button>
      <h1>{t`Import jobs`}</h1>
      <span className="t3 cut">{facts?.filter(Boolean).join(', ')}</span>
      <span className="grow" />
      {!isEmpty && (
        <Button variant="ghost" kbd={readKey} onClick={reload}>
          <Icon of={RotateCcw} />
          {t`Read again`}
        </Button>
      )}
      <Button variant="ghost" onClick={() => saveText('jobs.csv', template())}>
        <Icon of={Download} />
        {t`Template`}
      </Button>
      <FileButton label={isEmpty ? t`Choose a file` : t`Another file`} />
    </div>
  );
}

function LinesBar({ now, shown, onShown }: { now: ReadingNow; shown: Shown; onShown: (shown: Shown) => void }) {
  const hint = useKeyHint('batch.nextError');
  const lines = now.reading?.lines;
  const item = (value: Shown, label: string, count: number | undefined) => ({ value, label, count });
  return (
    <div className="bar sub">
      <Tabs
        aria-label={t`Which lines`}
        value={shown}
        onValue={onShown}
        items={[
          item('all', t`All`, lines?.all),
          item('bad', t`To mend`, lines?.bad),
          item('know', t`To know`, lines?.know),
          item('good', t`Right`, lines?.good),
        ]}
      />
      <span className="grow" />
      <span className="t3 batch-hint">
        <Kbd>{hint}</Kbd> {t`next to mend`}
      </span>
    </div>
  );
}

/** Where a text comes from, while there is none. */
function NoText() {
  const text = useBatchDraft((draft) => draft.typed);
  return (
    <div className="col gap batch-none">
      <p>
        {t`Drop a file here, paste with ${printChord('Mod+V')}, choose one, or write below. Nothing is queued before you have seen it all.`}
      </p>
      <TextArea
        className="mono"
        aria-label={t`Lines`}
        placeholder={t`A harbour at night, rain
A ferry quay in {rain|fog}`}
        value={text}
        onValue={(typed) => useBatchDraft.setState({ typed })}
        maxLength={MAX_BATCH_TEXT}
        rows={8}
        spellCheck={false}
        ref={focusOnArrival}
        onPaste={(event) => {
          const pasted = event.clipboardData.getData('text/plain');
          // A whole text that is pasted into the empty field is what was meant to be read.
          if (text === '' && pasted.includes('\n')) {
            event.preventDefault();
            startBatch(pasted, 'pasted');
          }
        }}
      />
      <div>
        <Button off={text.trim() === '' ? t`Write or paste a line first.` : undefined} onClick={() => startBatch(text)}>
          {t`Read the lines`}
        </Button>
      </div>
      <dl className="t3 batch-forms">
        <dt>{t`A table (CSV)`}</dt>
        <dd>
          {t`Line 1 names its columns: kind, prompt, model, mode, seconds, resolution, aspect, audio, samples, seed, image, last_frame, references, video, mask, timeout, project, night. Pictures by their ids, several apart by “;”.`}
        </dd>
        <dt>{t`JSON lines`}</dt>
        <dd>{t`One object a line, with the same names.`}</dd>
        <dt>{t`Lines of text`}</dt>
        <dd>{t`One prompt a line.`}</dd>
        <dt>{t`Choices`}</dt>
        <dd>
          <span className="mono">{t`{rain|fog}`}</span>{' '}
          {rich`makes a job of each; write ${<span className="mono">{'\\{'}</span>} for the brace itself. At most ${formatCount(10_000)} jobs at once.`}
        </dd>
      </dl>
    </div>
  );
}
