import { t } from '../../../../shared/texts.ts';
import { PriceRow, SpendDialog } from '../../../spending/index.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { chainAt, shotsText, takesText } from './chains.ts';
import { useChain } from './useChain.ts';
import { useJointView } from './useJoint.ts';

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
      {t`Shots are made in order, each from the last frame before it. If one fails, the rest are not sent.`}
    </SpendDialog>
  );
}
