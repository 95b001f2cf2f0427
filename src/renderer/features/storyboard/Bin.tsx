import { useMemo } from 'react';
import { type RemovedShot, shotTitle, takesOf } from '../../../shared/board/board.ts';
import { t } from '../../../shared/text/texts.ts';
import { useAction, useCall } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { useKnownMedia } from '../../media/useMedia.ts';
import { Button, Dialog, formatStamp, PriceWords, plural, Refusal, Thumb } from '../../ui/index.ts';
import { chargedOf, viewOf } from './model/view.ts';
import { selectShot, useBoardView } from './useBoard.ts';

export const useRemovedShots = (projectId: string): readonly RemovedShot[] =>
  useCall('board.bin', { projectId }, { on: ['board.changed'] }).data?.shots ?? [];

/** The shots that were removed, each with its way back. */
export function BinDialog({ projectId, removed }: { projectId: string; removed: readonly RemovedShot[] }) {
  const isOpen = useBoardView((view) => view.isBinOpen);
  const close = () => useBoardView.setState({ isBinOpen: false });
  return (
    <Dialog open={isOpen} onClose={close} title={t`Removed shots`} width={560}>
      {isOpen && <BinList projectId={projectId} removed={removed} />}
    </Dialog>
  );
}

function BinList({ projectId, removed }: { projectId: string; removed: readonly RemovedShot[] }) {
  const shots = useMemo(() => removed.map(({ shot }) => shot), [removed]);
  const refs = useMemo(() => shots.flatMap((shot) => takesOf(shot).map((jobId) => ({ jobId }))), [shots]);
  const media = useKnownMedia(refs);
  const views = useMemo(() => viewOf(shots, media), [shots, media]);
  const { refusal, run } = useAction();
  const putBack = async (shotId: string) => {
    if (!(await run(call('board.restore', { projectId, shotId }))).ok) return;
    selectShot(shotId);
  };
  if (removed.length === 0) return <p className="t2">{t`Nothing is removed.`}</p>;
  return (
    <div className="col gap">
      {views.map(({ shot, takes, active }, index) => {
        const charged = chargedOf(takes);
        const { removedAt = 0 } = removed[index] ?? {};
        const title = shotTitle(shot);
        return (
          <section key={shot.id} className="row" aria-label={title}>
            <Thumb asset={active?.clip} />
            <div className="col grow">
              <span className="cut">{title}</span>
              <span className="t3 cut">
                {plural(takes.length, 'take')}
                {(charged.nano > 0 || charged.unpriced > 0) && (
                  <>
                    {', '}
                    <PriceWords nano={charged.nano} lowNano={charged.lowNano} as="most" unpriced={charged.unpriced} />
                  </>
                )}
                {`, ${formatStamp(removedAt)}`}
              </span>
            </div>
            <Button aria-label={t`Put back “${title}”`} onClick={() => void putBack(shot.id)}>
              {t`Put back`}
            </Button>
          </section>
        );
      })}
      <Refusal text={refusal} />
    </div>
  );
}
