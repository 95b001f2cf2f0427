import { Link2 } from 'lucide-react';
import { t } from '../../../../shared/texts.ts';
import { PriceRow, SpendDialog } from '../../../spending/index.ts';
import { Button, Icon } from '../../../ui/index.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { chainAt, shotsText, takesText, whyTooMany } from './chains.ts';
import styles from './joint.module.css';
import { useChain } from './useChain.ts';
import { useJointView } from './useJoint.ts';

/** Offers to make a shot and those that start from it as one chain. */
export function ChainButton({ board, view }: { board: BoardHandle; view: ShotView }) {
  const chain = chainAt(board.shots, view);
  if (chain.length < 2) return null;
  const tooMany = whyTooMany(chain.length);
  return (
    <Button
      className={styles.chainOpen}
      off={tooMany}
      title={tooMany}
      onClick={() => useJointView.setState({ chainOf: view.shot.id })}
    >
      <Icon of={Link2} />
      {t`Make ${shotsText(chain)} as a chain`}
    </Button>
  );
}

/** The chain of a shot, with its price; it is ordered whole, now or tonight. */
export function ChainDialog({ board }: { board: BoardHandle }) {
  const chainOf = useJointView((view) => view.chainOf);
  const view = board.shots.find(({ shot }) => shot.id === chainOf);
  return view ? <OpenChain board={board} shots={chainAt(board.shots, view)} /> : null;
}

const close = () => useJointView.setState({ chainOf: undefined });

function OpenChain({ board, shots }: { board: BoardHandle; shots: readonly ShotView[] }) {
  const chain = useChain(board, shots);
  const { now, off, seconds } = chain;
  const label = t`Make ${shots.length} takes`;
  return (
    <SpendDialog
      title={t`Make ${shotsText(shots)}?`}
      label={label}
      off={off}
      onSend={() => chain.send(false)}
      tonight={{ what: label, shown: now.shown, onSend: () => chain.send(true) }}
      onClose={close}
      price={<PriceRow what={takesText(shots.length, seconds)} now={now} kind="video" />}
    >
      {t`Each starts from the new take of the shot before it, waits for it, and plays once it is made. If one is not made, those behind it are not sent and cost nothing.`}
    </SpendDialog>
  );
}
