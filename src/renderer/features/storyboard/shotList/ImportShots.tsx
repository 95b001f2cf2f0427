import { useMemo, useState } from 'react';
import { isBlankShot, type NewShot, type Shot } from '../../../../shared/board/board.ts';
import { SHOT_COLUMNS, type ShotListRow } from '../../../../shared/board/shotList.ts';
import { MAX_CALL_TEXT } from '../../../../shared/contract/callParts.ts';
import { ok } from '../../../../shared/contract/result.ts';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import { cellsByLine } from '../../../../shared/tables/tableText.ts';
import { shortened } from '../../../../shared/text/shortened.ts';
import { counted, plural, t } from '../../../../shared/text/texts.ts';
import { announce, showRefusal, useActiveProfile, useCall, useOneAtATime } from '../../../app/index.ts';
import { call, type StudioError } from '../../../client/index.ts';
import {
  Columns,
  type Head,
  ImportPane,
  type ImportRow,
  ImportStart,
  importHandlers,
  SkipErrors,
  tableImport,
  valuesFor,
  whyErrors,
} from '../../../tableImport/index.ts';
import tableImportStyles from '../../../tableImport/tableImport.module.css';
import { Button, Field, formatLength, Panel, Section, Select, toast, WhyOff } from '../../../ui/index.ts';
import { plannedSeconds } from '../model/shots.ts';
import { type BoardHandle, selectShot, useBoardView } from '../useBoard.ts';
import styles from './shotList.module.css';

/** Shots as rows of the import table. */

export const shotList = tableImport({
  fileLabel: t`File with shots`,
  accept: '.csv,.tsv,.txt,text/csv,text/plain',
  columns: SHOT_COLUMNS,
  formats: ['csv', 'lines'],
  mostCharacters: MAX_CALL_TEXT,
});

export const SHOT_HEADS: readonly Head[] = [
  { id: 'prompt', label: t`Shot`, fields: ['title', 'prompt'], isMain: true },
  { id: 'source', label: t`Starts from` },
  { id: 'model', label: t`Model` },
  { id: 'seconds', label: t`Length`, isRight: true },
  { id: 'picture', label: t`Picture`, fields: ['resolution', 'aspect'] },
];

/** In characters, the room of a row. */
const SHOWN_PROMPT = 200;

export function shotRows(rows: readonly ShotListRow[], text: string, isTable: boolean): ImportRow[] {
  const cells = isTable && rows.some(({ errors }) => errors.length > 0) ? cellsByLine(text) : undefined;
  return rows.map(({ line, shot, errors }) => {
    const row = { key: String(line), line, errors };
    // Unreadable rows have no columns.
    if (!shot) return { ...row, shown: {}, cells: errors.some(({ field }) => field === '') ? {} : cells?.get(line) };
    const { title = '', prompt = '', source, model, config } = shot;
    const words = [title.trim(), shortened(prompt, SHOWN_PROMPT)].filter(Boolean).join(': ');
    const picture = [config.resolution, config.aspectRatio].filter(Boolean).join(', ');
    return {
      ...row,
      shown: {
        prompt: words || t`Untitled`,
        source,
        model,
        seconds: `${plannedSeconds(shot)} s`,
        picture: picture || '–',
      },
    };
  });
}

const isImportShown = (): boolean => useBoardView.getState().isImporting;

/** A late answer closes no other list, and navigates (`go`) only for a user who still waits. */
function tellAdded(count: number, text: string, go: () => void): void {
  const isSame = shotList.useDraft.getState().text === text;
  const added = t`${counted(count, 'shot')} added`;
  if (isSame) shotList.clear();
  if (!isSame || !isImportShown()) return void toast({ text: `${added}.` });
  announce(added);
  go();
}

interface ImportShotsProps {
  board: BoardHandle;
  projectId: string;
  onDone: () => void;
}

const HANDLERS = importHandlers(shotList);

/** A shot list before it is added: every row with its errors and fixes. */
export function ImportShots({ board, projectId, onDone }: ImportShotsProps) {
  const { text, format, skipped } = shotList.useDraft();
  const [refusal, setRefusal] = useState<string>();
  const models = modelsFor(KINDS.video, useActiveProfile()?.models).map(({ id }) => id);
  const isEmpty = text.trim() === '';
  const input = isEmpty || format === 'jsonl' ? null : { projectId, text, format };
  const read = useCall('film.readShots', input, { debounceMs: READ_DELAY_MS });
  // Rows of an earlier text are not used.
  const isOutdated = !isEmpty && read.stale;
  const all = isEmpty ? undefined : read.data?.rows;
  const rows = useMemo(() => all && shotRows(all, text, format === 'csv'), [all, text, format]);
  const left = useMemo(() => (all ?? []).filter(({ line }) => !skipped.has(String(line))), [all, skipped]);
  const add = useAdd({ board, projectId, onDone, onRefused: setRefusal });
  return (
    <>
      <section
        className={`${tableImportStyles.main} ${styles.listImport}`}
        aria-label={t`Import shots`}
        data-panel
        tabIndex={-1}
        {...HANDLERS}
      >
        <ImportPane
          table={shotList}
          read={{ rows, error: read.error, isOutdated }}
          heads={SHOT_HEADS}
          title={<h2>{t`Import shots`}</h2>}
          back={t`Board`}
          onBack={onDone}
          refusal={refusal}
          start={<Start />}
          valuesOf={({ cells = {} }, field) =>
            field === 'model' ? models.slice(0, MOST_MODELS) : valuesFor(field, cells)
          }
        />
      </section>
      <AddPanel
        board={board}
        rows={rows ?? []}
        shots={left.flatMap(({ shot }) => shot ?? [])}
        outdated={isOutdated ? t`The rows are being read.` : undefined}
        onAdd={(before) => void add(left, before)}
      />
    </>
  );
}

/** With more models than this, the field is a text field. */
const MOST_MODELS = 3;

const Start = () => (
  <ImportStart
    table={shotList}
    label={t`Shot list`}
    hint={t`A table with prompts or titles, or one prompt a line.`}
    placeholder={t`A harbour at night, rain
She watches the lights go`}
  />
);

interface Adding {
  board: BoardHandle;
  projectId: string;
  onDone: () => void;
  onRefused: (message: string) => void;
}

/** Adds the shots of the list. The same text gives the same ids until they are added, so that a lost answer adds nothing twice. */
function useAdd({ board, projectId, onDone, onRefused }: Adding) {
  const { text, format, skipped } = shotList.useDraft();
  const refuse = (why: StudioError) => (isImportShown() ? onRefused(why.message) : showRefusal(why));
  return useOneAtATime(async (rows: readonly ShotListRow[], before: string | undefined) => {
    const unsaved = await board.sync.whyUnsaved(() => false);
    if (unsaved) return refuse(unsaved);
    const ask = () => {
      const id = idOfAsking([projectId, format, ...skipped, text].join(' '));
      const shots = rows.flatMap(({ shot, line }) => (shot ? { ...shot, id: `${id}-${line}` } : []));
      return addOnce(projectId, shots, { before, replaces: onlyBlank(board)?.id });
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

/** The prefix of the shots' ids: the same for one list in one film until they are added, even if the import is closed. */
function idOfAsking(of: string): string {
  const { adding } = useBoardView.getState();
  if (adding?.of === of) return adding.id;
  const id = crypto.randomUUID();
  useBoardView.setState({ adding: { of, id } });
  return id;
}

const forgetAsking = (): void => useBoardView.setState({ adding: undefined });

/**
 * The ids of the added shots. If the first id is taken, they were added before and the answer was lost; if they have been removed since,
 * they are `gone`, and the next ones get other ids.
 */
async function addOnce(
  projectId: string,
  shots: (NewShot & { id: string })[],
  place: { before?: string; replaces?: string },
) {
  const answer = await call('film.addShots', { projectId, shots, ...place });
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

interface AddPanelProps {
  board: BoardHandle;
  rows: readonly ImportRow[];
  shots: readonly NewShot[];
  /** Set while the rows are of an earlier text. */
  outdated: string | undefined;
  onAdd: (before: string | undefined) => void;
}

/** The columns of the list, the place of its shots, and the button that adds them. */
function AddPanel({ board, rows, shots, outdated, onAdd }: AddPanelProps) {
  const [before, setBefore] = useState(AT_END);
  const skipped = shotList.useDraft((draft) => draft.skipped);
  const others = board.shots.filter(({ shot }) => shot !== onlyBlank(board));
  const seconds = shots.reduce((sum, shot) => sum + plannedSeconds(shot), 0);
  const off = outdated ?? whyErrors(rows, skipped) ?? (shots.length === 0 ? t`No shot to add yet.` : undefined);
  return (
    <Panel label={t`Shots to add`} className={tableImportStyles.side}>
      <div className="bar">
        <h2>{t`Shots to add`}</h2>
      </div>
      <div className="scroll">
        <Columns table={shotList} />
        <Section title={t`Destination`}>
          <Field label={t`Place`}>
            <Select
              aria-label={t`Place`}
              options={[
                { value: AT_END, label: others.length === 0 ? t`On the empty board` : t`After the last shot` },
                ...others.map(({ shot, number }) => ({ value: shot.id, label: t`Before shot ${number}` })),
              ]}
              value={before}
              onValue={setBefore}
            />
          </Field>
        </Section>
      </div>
      <div className="sendbar">
        <div className="row between">
          <span className="t2">{plural(shots.length, 'shot')}</span>
          <span className="num">{formatLength(seconds)}</span>
        </div>
        <Button
          variant="primary"
          off={off}
          onClick={() => onAdd(board.shots.find(({ shot }) => shot.id === before)?.shot.id)}
        >
          {t`Add ${counted(shots.length, 'shot')}`}
        </Button>
        <WhyOff>{off}</WhyOff>
        <SkipErrors table={shotList} rows={rows} off={outdated} />
      </div>
    </Panel>
  );
}

/** The blank first shot of a new film, which a list replaces. */
const onlyBlank = ({ shots: [first, second] }: BoardHandle): Shot | undefined =>
  first && !second && isBlankShot(first.shot) ? first.shot : undefined;

const AT_END = 'end';
