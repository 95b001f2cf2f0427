import { useState } from 'react';
import type { Result } from '../../../../shared/contract/result.ts';
import type { LibraryMove, MovePhase } from '../../../../shared/library/libraryFolder.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import { ActionButton, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Button, Checkbox, formatBytes, formatCount, formatSpan, ProgressBar } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import { FolderField } from './FolderField.tsx';

interface MoveItProps {
  move: LibraryMove | undefined;
  onChange: () => void;
}

/** A running move, or the destination for a new one and the result of the last. */
export function MoveIt({ move, onChange }: MoveItProps) {
  const isRunning = move?.state === 'running';
  const action = useAction();
  const act = async <Data,>(answer: Promise<Result<Data>>) => {
    const { ok } = await action.run(answer);
    onChange();
    return ok;
  };
  return (
    <Group title={t`Move`} text={t`Files here are deleted only after every copy is verified.`} refusal={action.refusal}>
      <div className="col gap">
        {!isRunning && <Ask isOff={move?.hasOld === true} act={act} isBusy={action.isBusy} />}
        {isRunning && <Running move={move} act={act} />}
        {move && !isRunning && <Ended move={move} act={act} />}
      </div>
    </Group>
  );
}

/** Calls the studio, reads the new state, and returns whether the call succeeded. */
type Act = <Data>(answer: Promise<Result<Data>>) => Promise<boolean>;

function Ask({ isOff, act, isBusy }: { isOff: boolean; act: Act; isBusy: boolean }) {
  const [folder, setFolder] = useState('');
  const [keepOld, setKeepOld] = useState(false);
  const why = isOff ? t`Remove the old folder first.` : undefined;
  const start = async () => {
    if (isBusy || why !== undefined || folder.trim() === '') return;
    if (await act(call('library.move', { folder: folder.trim(), keepOld }))) setFolder('');
  };
  return (
    <>
      <FolderField label={t`New folder`} value={folder} onValue={setFolder} onEnter={() => void start()} />
      <div className="row">
        <Checkbox checked={keepOld} onChecked={setKeepOld}>
          {t`Keep the old folder`}
        </Checkbox>
        <span className="grow" />
        <Button
          busy={isBusy}
          off={why ?? (folder.trim() === '' ? t`Enter a folder first.` : undefined)}
          onClick={() => void start()}
        >
          {t`Move library`}
        </Button>
      </div>
      {why !== undefined && <p className="t3">{why}</p>}
    </>
  );
}

const PHASES: Record<MovePhase, string> = {
  copy: t`Copying`,
  compare: t`Verifying`,
  switch: t`Switching`,
  remove: t`Emptying the old folder`,
};

function nowWords({ phase, count, done, bytes, doneBytes, waits, paused, leftMs }: LibraryMove): string {
  if (waits !== undefined) return t`Waiting: ${waits}`;
  const name = paused ? t`Paused` : PHASES[phase];
  if (phase === 'switch' || phase === 'remove') return name;
  const through = t`${name}: ${formatBytes(doneBytes)} of ${formatBytes(bytes)}, ${formatCount(done)} of ${counted(count, 'file')}`;
  return leftMs === undefined || paused ? through : t`${through}, ${formatSpan(leftMs)} left`;
}

function Running({ move, act }: { move: LibraryMove; act: Act }) {
  const { id, phase, paused, progress } = move;
  const canPause = phase === 'copy' || phase === 'compare';
  return (
    <>
      <ProgressBar percent={progress} label={t`Move library`} />
      <div className="row">
        <span className="t2 grow">{nowWords(move)}</span>
        {canPause && (
          <ActionButton
            action="settings.pauseMove"
            onDo={() => void act(call(paused ? 'library.resumeMove' : 'library.pauseMove', {}))}
          >
            {paused ? t`Resume` : t`Pause`}
          </ActionButton>
        )}
        {phase !== 'remove' && (
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

function endWords({ state, error, hasOld, from, folder, damaged }: LibraryMove): string {
  if (state === 'failed') return error ?? t`The library could not be moved.`;
  if (state === 'canceled') return t`Stopped. The library was not moved.`;
  return [
    t`Moved to ${folder} and verified.`,
    damaged > 0 && t`${counted(damaged, 'file')} damaged before the move.`,
    hasOld && t`The old folder is still in ${from}.`,
  ]
    .filter(Boolean)
    .join(' ');
}
