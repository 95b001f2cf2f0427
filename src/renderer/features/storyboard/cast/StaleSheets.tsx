import type { CastMember } from '../../../../shared/cast.ts';
import { listed, t } from '../../../../shared/texts.ts';
import { ActionButton } from '../../../app/index.ts';
import { numbersOf } from '../joint/chains.ts';
import { StaleCount } from '../joint/Ripple.tsx';
import type { CastColumn } from '../model/castView.ts';
import { Status } from '../Status.tsx';

interface StaleSheetsProps {
  columns: readonly CastColumn[];
  cast: readonly CastMember[];
  onShow: () => void;
}

/** Which shots play a take that was made from a picture that is not in use any more. */
export function StaleSheets({ columns, cast, onShow }: StaleSheetsProps) {
  const stale = columns.filter(({ cells }) => [...cells.values()].some((cell) => cell.isStale));
  if (stale.length === 0) return null;
  const members = cast.filter(({ id }) => stale.some(({ cells }) => cells.get(id)?.isStale));
  const numbers = numbersOf(stale.map(({ view }) => view));
  return (
    <Status
      mark={<StaleCount count={stale.length} />}
      text={t`${listed(members.map(({ name }) => name.trim()))} ${members.length > 1 ? t`have other pictures` : t`has another picture`} now, so ${numbers} ${stale.length > 1 ? t`were` : t`was`} made from a sheet that is not in use.`}
    >
      <span className="grow" />
      <ActionButton variant="ghost" action="cast.stale" onDo={onShow}>
        {t`Show them`}
      </ActionButton>
    </Status>
  );
}
