import { useState } from 'react';
import { t } from '../../../../shared/texts.ts';
import { formatCount, TextAction } from '../../../ui/index.ts';

/** Rows of a list that a person may want at once; each of them reads its job. */
const AT_FIRST = 100;

/** The first of a long list, and how many more come with a press; none where all are shown. */
export function useFirst<Item>(all: readonly Item[]) {
  const [most, setMost] = useState(AT_FIRST);
  const more = all.length > most && <ShowMore of={all.length} onMore={() => setMost(most + AT_FIRST)} />;
  return { shown: all.slice(0, most), more };
}

const ShowMore = ({ of, onMore }: { of: number; onMore: () => void }) => (
  <p className="pad">
    <TextAction onClick={onMore}>{t`Show more of ${formatCount(of)}`}</TextAction>
  </p>
);
