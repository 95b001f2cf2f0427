import { ChevronLeft } from 'lucide-react';
import { type DragEvent, useMemo, useRef, useState } from 'react';
import type { NewShot } from '../../../../shared/board.ts';
import { ok } from '../../../../shared/result.ts';
import type { ShotListRow } from '../../../../shared/shotList.ts';
import { counted, t } from '../../../../shared/texts.ts';
import { announce, showRefusal, useCall, useKeyHint, useOneAtATime, useShortcut } from '../../../app/index.ts';
import { call, type StudioError } from '../../../client/index.ts';
import { Button, Icon, Kbd, plural, Refusal, Tabs, toast } from '../../../ui/index.ts';
import { type BoardHandle, selectShot, useBoardView } from '../useBoard.ts';
import { AddPanel } from './AddPanel.tsx';
import { FileButton } from './FileButton.tsx';
import { ShotTable } from './ShotTable.tsx';
import './shotList.css';
import { withoutLines } from './listText.ts';
import { clearList, forgetAsking, idOfAsking, readListFile, useListDraft, writeList } from './useListDraft.ts';

type Shown = 'all' | 'bad' | 'good';

const isImportShown = (): boolean => useBoardView.getState().isImporting;

/** A late answer takes no other list away, and leads (`go`) only who still waits for it. */
function tellAdded(count: number, text: string, go: () => void): void {
  const isSame = useListDraft.getState().text === text;
  const added = t`${counted(count, 'shot')} added`;
  if (isSame) clearList();
  if (!isSame || !isImportShown()) return toast({ text: `${added}.` });
  announce(added);
  go();
}

/** A shot list before it is added: every line with what is wrong in it, and what mends it. */
export function ImportShots({
  board,
  projectId,
  onDone,
}: {
  board: BoardHandle;
  projectId: string;
  onDone: () => void;
}) {
  const { text, format, name, error } = useListDraft();
  const [shown, setShown] = useState<Shown>('all');
  const [refusal, setRefusal] = useState<string>();
  const table = useRef<HTMLDivElement>(null);
  const isEmpty = text.trim() === '';
  const read = useCall('film.readShots', isEmpty ? null : { projectId, text, format }, { debounceMs: READ_DELAY_MS });
  const rows = (!isEmpty && read.data?.rows) || NO_ROWS;
  // What is told of the lines is not acted on until it is of those that stand there.
  const outdated = !isEmpty && read.stale ? t`The list is being read.` : undefined;
  const bad = useMemo(() => rows.filter(({ errors }) => errors.length > 0), [rows]);
  useShortcut('page.leave', onDone);
  useShortcut('list.nextError', () => focusNextError(table.current));
  const add = useAdd({ board, projectId, onDone, onRefused: setRefusal });
  const drop = (event: DragEvent) => {
    const [file] = event.dataTransfer.files;
    if (!file) return;
    event.preventDefault();
    void readListFile(file);
  };
  return (
    <>
      <section
        className="list-import"
        aria-label={t`Import shots`}
        data-panel
        tabIndex={-1}
        onDragOver={(event) => event.preventDefault()}
        onDrop={drop}
      >
        <ImportBar name={name} count={rows.length} onDone={onDone} />
        <ErrorsBar shown={shown} onShown={setShown} all={rows.length} bad={bad.length} />
        <div className="scroll" ref={table}>
          {isEmpty ? <NoList /> : <ShotTable rows={shownOf(rows, shown)} {...{ text, format, outdated }} />}
          <Refusal text={error ?? refusal ?? (isEmpty ? undefined : read.error?.message)} />
        </div>
      </section>
      <AddPanel
        board={board}
        rows={rows}
        outdated={outdated}
        onAdd={(before) => void add(rows, before)}
        onLeaveOut={() => writeList(withoutLines(text, format, new Set(bad.map(({ line }) => line))))}
      />
    </>
  );
}

interface Adding {
  board: BoardHandle;
  projectId: string;
  onDone: () => void;
  onRefused: (message: string) => void;
}

/** Adds the shots of the list. Those of one text have the same ids until they are there, so that a lost answer makes no second ones. */
function useAdd({ board, projectId, onDone, onRefused }: Adding) {
  const { text, format } = useListDraft();
  const refuse = (why: StudioError) => (isImportShown() ? onRefused(why.message) : showRefusal(why));
  return useOneAtATime(async (rows: readonly ShotListRow[], before: string | undefined) => {
    const unsaved = await board.sync.whyUnsaved(() => false);
    if (unsaved) return refuse(unsaved);
    const ask = () => {
      const id = idOfAsking(`${projectId} ${format} ${text}`);
      const shots = rows.flatMap(({ shot, line }) => (shot ? { ...shot, id: `${id}-${line}` } : []));
      return addOnce(projectId, shots, before);
    };
    const first = await ask();
    const answer = first === 'gone' ? await ask() : first;
    if (answer === 'gone') return;
    if (!answer.ok) return refuse(answer.error);
    forgetAsking();
    const [shown] = answer.data;
    tellAdded(rows.filter(({ shot }) => shot).length, text, () => {
      if (shown !== undefined) selectShot(shown);
      onDone();
    });
  });
}

/**
 * The ids of the shots on the board. Where that of the first one is taken, they were added before and only the answer was lost; taken
 * from the board since, they are `gone`, and the next ones have other ids.
 */
async function addOnce(projectId: string, shots: (NewShot & { id: string })[], before: string | undefined) {
  const answer = await call('film.addShots', { projectId, shots, ...(before !== undefined && { before }) });
  if (answer.ok) return ok(answer.data.ids);
  if (answer.error.data?.field !== 'shots.0.id') return answer;
  const board = await call('storyboard.get', { projectId });
  if (!board.ok) return board;
  const own = new Set(shots.map(({ id }) => id));
  const there = board.data.shots.flatMap(({ id }) => (own.has(id) ? id : []));
  if (there.length > 0) return ok(there);
  forgetAsking();
  return 'gone';
}

const READ_DELAY_MS = 200;
const NO_ROWS: ShotListRow[] = [];

function shownOf(rows: readonly ShotListRow[], shown: Shown): readonly ShotListRow[] {
  return shown === 'all' ? rows : rows.filter(({ errors }) => errors.length > 0 === (shown === 'bad'));
}

function ImportBar({ name, count, onDone }: { name: string | undefined; count: number; onDone: () => void }) {
  return (
    <div className="bar">
      <Button variant="ghost" className="back" kbd={useKeyHint('page.leave')} onClick={onDone}>
        <Icon of={ChevronLeft} />
        {t`Board`}
      </Button>
      <h2>{t`Import shots`}</h2>
      <span className="t3 cut">{[name, count > 0 && plural(count, 'row')].filter(Boolean).join(', ')}</span>
      <span className="grow" />
      <FileButton label={name === undefined ? t`Choose a file` : t`Another file`} />
    </div>
  );
}

interface ErrorsBarProps {
  shown: Shown;
  onShown: (shown: Shown) => void;
  all: number;
  bad: number;
}

function ErrorsBar({ shown, onShown, all, bad }: ErrorsBarProps) {
  const hint = useKeyHint('list.nextError');
  const item = (value: Shown, label: string, count: number) => ({ value, label, count });
  return (
    <div className="bar sub">
      <Tabs
        aria-label={t`Which lines`}
        value={shown}
        onValue={onShown}
        items={[item('all', t`All`, all), item('bad', t`To mend`, bad), item('good', t`Right`, all - bad)]}
      />
      <span className="grow" />
      <span className="t3">
        <Kbd>{hint}</Kbd> {t`next to mend`}
      </span>
    </div>
  );
}

function NoList() {
  return (
    <div className="col gap list-none">
      <p>
        {t`Paste a list at the right, drop a file here, or choose one: a table as CSV with a line of column names, or one prompt a line.`}
      </p>
      <p className="t3">
        {t`Columns: number, title, prompt, source, model, seconds, resolution, aspect, audio, seed. A table needs a prompt or a title; what is left out is as in a new shot. A shot list that was exported can be read back.`}
      </p>
    </div>
  );
}

/** The next row that has an error, behind the one with the focus; behind the last comes the first. */
function focusNextError(table: HTMLElement | null): void {
  const wrong = [...(table?.querySelectorAll<HTMLElement>('[data-error]') ?? [])];
  const active = document.activeElement;
  const next =
    wrong.find((row) => active && (active.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0) ??
    wrong[0];
  next?.scrollIntoView({ block: 'center' });
  (next?.querySelector<HTMLElement>('button') ?? next)?.focus();
}
