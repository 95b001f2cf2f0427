import { ChevronLeft } from 'lucide-react';
import { useState } from 'react';
import { t } from '../../../shared/texts.ts';
import { useCall, useKeyHint, useShortcut, useStudio } from '../../app/index.ts';
import { Button, formatBytes, formatCount, Icon, plural, TextAction } from '../../ui/index.ts';
import { EmptyBinDialog } from './EmptyBin.tsx';
import { narrow, useLibraryView } from './state.ts';

export const useIsBin = (): boolean => useLibraryView(({ filter }) => filter.binned === true);
const leave = () => narrow({ binned: undefined });

/** How many are in the bin, and the room that they take on this disk. */
function useBinFigures() {
  return useCall('library.chosen', { filter: { binned: true } }, { on: ['asset.changed'] }).data;
}

/** Beside the disk: what the bin holds, and the way into it. */
export function BinUse() {
  const figures = useBinFigures();
  const isBin = useIsBin();
  if (!figures) return null;
  return (
    <div className="row between">
      {isBin ? (
        <span>{t`Bin, ${formatBytes(figures.bytes)}`}</span>
      ) : (
        <TextAction onClick={() => narrow({ binned: true })}>{t`Bin, ${formatBytes(figures.bytes)}`}</TextAction>
      )}
      <span className="t3">{plural(figures.count, 'item')}</span>
    </div>
  );
}

/** Over the list, while it shows the bin. */
export function BinBar() {
  const figures = useBinFigures();
  const [isEmptying, setEmptying] = useState(false);
  const hint = useKeyHint('page.leave');
  const days = useStudio((state) => state.settings?.library?.binDays);
  useShortcut('page.leave', leave);
  return (
    <div className="bar">
      <Button variant="ghost" kbd={hint} onClick={leave}>
        <Icon of={ChevronLeft} />
        {t`Library`}
      </Button>
      <h2>{t`Bin`}</h2>
      {figures && (
        <span className="t3">{t`${formatCount(figures.count)} in it, ${formatBytes(figures.bytes)} on this disk`}</span>
      )}
      {days !== undefined && figures && figures.count > 0 && (
        <span className="t3 cut">{t`Deleted by itself after ${days} days, unless something uses it`}</span>
      )}
      <span className="grow" />
      {figures && figures.count > 0 && (
        <Button variant="ghost-danger" onClick={() => setEmptying(true)}>
          {t`Empty the bin`}
        </Button>
      )}
      {isEmptying && <EmptyBinDialog onClose={() => setEmptying(false)} />}
    </div>
  );
}
