import { Pause } from 'lucide-react';
import { useState } from 'react';
import type { Result } from '../../../../shared/contract/result.ts';
import { type LibraryMove, MOVE_PHASES, type MovePhase } from '../../../../shared/library/libraryFolder.ts';
import { counted, inflected, t } from '../../../../shared/text/texts.ts';
import { ActionButton, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  Button,
  Checkbox,
  CheckGlyph,
  DraftGlyph,
  FailGlyph,
  formatBytes,
  formatCount,
  formatSpan,
  Icon,
  ProgressBar,
  ProgressRing,
  plural,
} from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import { FolderField } from './FolderField.tsx';
import styles from './folder.module.css';

interface MoveItProps {
  move: LibraryMove | undefined;
  onChange: () => void;
}

/** The move that runs with its steps or, otherwise, where to move and how the last one ended. */
export function MoveIt({ move, onChange }: MoveItProps) {
  const isRunning = move?.state === 'running';
  const action = useAction();
  const act = async <Data,>(answer: Promise<Result<Data>>) => {
    const { ok } = await action.run(answer);
    onChange();
    return ok;
  };
  return (
    <Group
      title={t`Move it`}
      text={t`You go on working. Nothing is removed here until all is whole there.`}
      refusal={action.refusal}
    >
      <div className="col gap">
        {!isRunning && <Ask isOff={move?.hasOld === true} act={act} isBusy={action.isBusy} />}
        {move && <Steps move={move} />}
        {isRunning && <Running move={move} act={act} />}
        {move && !isRunning && <Ended move={move} act={act} />}
      </div>
    </Group>
  );
}

/** Calls the studio, reads what has come of it, and answers whether it was done. */
type Act = <Data>(answer: Promise<Result<Data>>) => Promise<boolean>;

function Ask({ isOff, act, isBusy }: { isOff: boolean; act: Act; isBusy: boolean }) {
  const [folder, setFolder] = useState('');
  const [keepOld, setKeepOld] = useState(false);
  const why = isOff ? t`The old folder is still there. Remove it first.` : undefined;
  const start = async () => {
    if (isBusy || why !== undefined || folder.trim() === '') return;
    if (await act(call('library.move', { folder: folder.trim(), keepOld }))) setFolder('');
  };
  return (
    <>
      <FolderField label={t`New folder`} value={folder} onValue={setFolder} onEnter={() => void start()} />
      <div className="row">
        <Checkbox checked={keepOld} onChecked={setKeepOld}>
          {t`Keep the old folder until I remove it`}
        </Checkbox>
        <span className="grow" />
        <Button
          busy={isBusy}
          off={why ?? (folder.trim() === '' ? t`Name the new folder.` : undefined)}
          onClick={() => void start()}
        >
          {t`Move the library`}
        </Button>
      </div>
      {why !== undefined && <p className="t3">{why}</p>}
    </>
  );
}

const PHASES: Record<MovePhase, readonly [name: string, meaning: string]> = {
  copy: [t`Copy`, t`every file, to the new folder`],
  compare: [t`Compare`, t`every checksum read back`],
  switch: [t`Switch`, t`in one step; what came meanwhile is copied last`],
  remove: [t`Remove`, t`the old folder, once all is whole in the new one`],
};

type StepState = 'done' | 'now' | 'failed' | 'later';

function stateOf(move: LibraryMove, phase: MovePhase): StepState {
  if (move.state === 'done' && !(phase === 'remove' && move.hasOld)) return 'done';
  const [at, here] = [MOVE_PHASES.indexOf(move.phase), MOVE_PHASES.indexOf(phase)];
  if (here < at) return 'done';
  if (here > at || move.state === 'canceled' || move.state === 'done') return 'later';
  return move.state === 'failed' ? 'failed' : 'now';
}

const Steps = ({ move }: { move: LibraryMove }) => (
  <ul className={`steps ${styles.mv}`} aria-label={t`Move to ${move.folder}`}>
    {MOVE_PHASES.map((phase) => {
      const state = stateOf(move, phase);
      return (
        <li key={phase} data-state={state}>
          {state !== 'now' ? (
            GLYPHS[state]
          ) : move.paused ? (
            <Icon of={Pause} />
          ) : (
            <ProgressRing percent={move.progress} />
          )}
          <b>{PHASES[phase][0]}</b>
          <span className="t2 cut grow">{state === 'now' ? nowWords(move) : stepWords(move, phase, state)}</span>
        </li>
      );
    })}
  </ul>
);

const GLYPHS = { done: <CheckGlyph />, failed: <FailGlyph />, later: <DraftGlyph /> };

function nowWords({ phase, count, done, bytes, doneBytes, waits, paused, leftMs }: LibraryMove): string {
  if (waits !== undefined) return t`waits: ${waits}`;
  if (phase === 'switch' || phase === 'remove') return PHASES[phase][1];
  const through = t`${formatBytes(doneBytes)} of ${formatBytes(bytes)}, ${formatCount(done)} of ${counted(count, 'file')}`;
  if (paused) return t`paused by you at ${through}`;
  return leftMs === undefined ? through : t`${through}, ${formatSpan(leftMs)} left`;
}

function stepWords({ count, bytes, damaged, hasOld, state: whole }: LibraryMove, phase: MovePhase, state: StepState) {
  if (state !== 'done')
    return phase === 'remove' && whole === 'done' && hasOld ? t`the old folder, when you say so` : PHASES[phase][1];
  if (phase === 'copy') return `${plural(count, 'file')}, ${formatBytes(bytes)}`;
  if (phase === 'compare' && damaged > 0)
    return t`every checksum read back; ${counted(damaged, 'file')} damaged before, moved as ${inflected(damaged, 'it is', 'they are')}`;
  return PHASES[phase][1];
}

function Running({ move: { id, phase, paused, progress }, act }: { move: LibraryMove; act: Act }) {
  const isLast = phase === 'remove';
  const canPause = phase === 'copy' || phase === 'compare';
  const stays = t`Stopping leaves everything where it is.`;
  const words = isLast
    ? t`The library is in the new folder, whole. The old one is being emptied.`
    : paused
      ? t`Paused, also when Dailies ends. ${stays}`
      : stays;
  return (
    <>
      <ProgressBar percent={progress} label={t`Move of the library`} />
      <div className="row">
        <span className="t2 grow">{words}</span>
        {canPause && (
          <ActionButton
            action="settings.pauseMove"
            onDo={() => void act(call(paused ? 'library.resumeMove' : 'library.pauseMove', {}))}
          >
            {paused ? t`Go on` : t`Pause`}
          </ActionButton>
        )}
        {!isLast && (
          <ActionButton action="page.leave" onDo={() => void act(call('exports.cancel', { id }))}>
            {t`Stop`}
          </ActionButton>
        )}
      </div>
    </>
  );
}

function Ended({ move, act }: { move: LibraryMove; act: Act }) {
  return (
    <>
      <p role="status" className={move.state === 'failed' ? undefined : 't2'}>
        {endWords(move)}
      </p>
      {move.hasOld && (
        <div className="row">
          <span className="grow" />
          <Button variant="danger" onClick={() => void act(call('library.removeOld', {}))}>
            {t`Remove the old folder, ${formatBytes(move.bytes)}`}
          </Button>
        </div>
      )}
    </>
  );
}

function endWords({ state, error, hasOld, from, folder }: LibraryMove): string {
  if (state === 'failed') return error ?? t`It could not be moved.`;
  if (state === 'canceled') return t`Stopped. The library is where it was, and its copies are removed.`;
  const old = hasOld ? t`The old folder in ${from} is still there.` : t`The old folder is empty.`;
  return t`Moved to ${folder}, every checksum read back. ${old}`;
}
