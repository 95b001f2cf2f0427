import { useEffect, useRef } from 'react';
import { t } from '../../../shared/texts.ts';
import { announce, useEntities, useNow } from '../../app/index.ts';
import { isLastHour, plural } from '../../ui/index.ts';

/** Says once of each listed file that it is at the gateway for less than an hour more; `listed` changes as the list does. */
export function useLastHourSaid(listed: unknown): void {
  const told = useRef(new Set<string>());
  const now = useNow(20_000);
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is listed is read again when the list says another number.
  useEffect(() => {
    const fresh = [...useEntities.getState().assets.values()].filter(
      (asset) => isLastHour(asset, now) && !told.current.has(asset.id),
    );
    const [first] = fresh;
    if (!first) return;
    for (const { id } of fresh) told.current.add(id);
    const what = fresh.length === 1 ? first.name : plural(fresh.length, 'file');
    announce(t`Only at the gateway for less than an hour: ${what}.`);
  }, [now, listed]);
}
