import { useState } from 'react';
import { counted, t } from '../../../shared/text/texts.ts';
import { BackButton, useCall, useStudio } from '../../app/index.ts';
import { Button, formatBytes, plural, TextAction } from '../../ui/index.ts';
import { EmptyBinDialog } from './EmptyBin.tsx';
import { narrow, SHOWN, useLibraryView } from './state.ts';

export const useIsBin = (): boolean => useLibraryView(({ filter }) => filter.binned === true);
const leave = () => narrow({ binned: undefined });

/** The number of files in the bin, as its list has them, and their disk space, including the frames of clips. */
function useBinFigures() {
  const roles = useLibraryView(({ filter }) => (filter.binned ? filter.roles : undefined)) ?? SHOWN;
  const listed = useCall('library.chosen', { filter: { binned: true, roles } }, { on: ['asset.changed'] }).data;
  const all = useCall('library.chosen', { filter: { binned: true } }, { on: ['asset.changed'] }).data;
  return listed && all && { count: listed.count, bytes: all.bytes, isEmpty: all.count === 0 };
}

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

export function BinBar() {
  const figures = useBinFigures();
  const [isEmptying, setEmptying] = useState(false);
  const days = useStudio((state) => state.settings?.library?.binDays);
  return (
    <div className="bar">
      <BackButton onLeave={leave}>{t`Library`}</BackButton>
      <h2>{t`Bin`}</h2>
      {figures && <span className="t3">{t`${counted(figures.count, 'item')}, ${formatBytes(figures.bytes)}`}</span>}
      {days !== undefined && figures && !figures.isEmpty && (
        <span className="t3 cut">{t`Deleted after ${days} days, unless used`}</span>
      )}
      <span className="grow" />
      {figures && !figures.isEmpty && (
        <Button variant="ghost-danger" onClick={() => setEmptying(true)}>
          {t`Empty bin`}
        </Button>
      )}
      {isEmptying && <EmptyBinDialog onClose={() => setEmptying(false)} />}
    </div>
  );
}
