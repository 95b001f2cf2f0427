import './batch.css';
import { ChevronLeft, Download, RotateCcw } from 'lucide-react';
import { type ClipboardEvent, type DragEvent, useRef, useState } from 'react';
import { MAX_BATCH_TEXT } from '../../../../shared/batch.ts';
import { focusOnArrival, navigate, useKeyHint, useShortcut } from '../../../app/index.ts';
import { Button, formatCount, Icon, Kbd, LoadingBars, plural, Refusal, Tabs, TextArea } from '../../../ui/index.ts';
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
  useShortcut('page.leave', () => navigate('queue'));
  useShortcut('batch.read', now.reload);
  useShortcut('batch.nextError', () => {
    if (shown !== 'all' && shown !== 'bad') setShown('all');
    list.current?.nextError(shown === 'bad' ? undefined : now.reading?.badAt);
  });
  return (
    <main className="page batch" onPaste={pasteText} onDragOver={(event) => event.preventDefault()} onDrop={dropFile}>
      <section className="batch-main" aria-label="Import jobs" data-panel tabIndex={-1}>
        <ImportBar now={now} isEmpty={isEmpty} />
        <LinesBar now={now} shown={shown} onShown={setShown} />
        {isEmpty ? (
          <NoText />
        ) : now.reading ? (
          <BatchList ref={list} rows={rows} key={shown} />
        ) : (
          <div className="pad">{now.error ? null : <LoadingBars rows={8} label="Reading the lines" />}</div>
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

const TIME = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' });

function ImportBar({ now: { reading, at, reload }, isEmpty }: { now: ReadingNow; isEmpty: boolean }) {
  const name = useBatchDraft((draft) => draft.name);
  const facts = reading && [name, plural(reading.lines.all, 'line'), `read ${TIME.format(at)}`];
  const readKey = useKeyHint('batch.read');
  return (
    <div className="bar">
      <Button variant="ghost" className="back" kbd={useKeyHint('page.leave')} onClick={() => navigate('queue')}>
        <Icon of={ChevronLeft} />
        Queue
      </Button>
      <h1>Import jobs</h1>
      <span className="t3 cut">{facts?.filter(Boolean).join(', ')}</span>
      <span className="grow" />
      {!isEmpty && (
        <Button variant="ghost" kbd={readKey} onClick={reload}>
          <Icon of={RotateCcw} />
          Read again
        </Button>
      )}
      <Button variant="ghost" onClick={() => saveText('jobs.csv', template())}>
        <Icon of={Download} />
        Template
      </Button>
      <FileButton label={isEmpty ? 'Choose a file' : 'Another file'} />
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
        aria-label="Which lines"
        value={shown}
        onValue={onShown}
        items={[
          item('all', 'All', lines?.all),
          item('bad', 'To mend', lines?.bad),
          item('know', 'To know', lines?.know),
          item('good', 'Right', lines?.good),
        ]}
      />
      <span className="grow" />
      <span className="t3 batch-hint">
        <Kbd>{hint}</Kbd> next to mend
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
        Drop a file here, paste with Ctrl V, choose one, or write below. Nothing is queued before you have seen it all.
      </p>
      <TextArea
        className="mono"
        aria-label="Lines"
        placeholder={'A harbour at night, rain\nA ferry quay in {rain|fog}'}
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
        <Button off={text.trim() === '' ? 'Write or paste a line first.' : undefined} onClick={() => startBatch(text)}>
          Read the lines
        </Button>
      </div>
      <dl className="t3 batch-forms">
        <dt>A table (CSV)</dt>
        <dd>
          Line 1 names its columns: kind, prompt, model, mode, seconds, resolution, aspect, audio, samples, seed, image,
          last_frame, references, video, mask, timeout, project, night. Pictures by their ids, several apart by “;”.
        </dd>
        <dt>JSON lines</dt>
        <dd>One object a line, with the same names.</dd>
        <dt>Lines of text</dt>
        <dd>One prompt a line.</dd>
        <dt>Choices</dt>
        <dd>
          <span className="mono">{'{rain|fog}'}</span> makes a job of each; write <span className="mono">{'\\{'}</span>{' '}
          for the brace itself. At most {formatCount(10_000)} jobs at once.
        </dd>
      </dl>
    </div>
  );
}
