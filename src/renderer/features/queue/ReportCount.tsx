import type { ReactNode } from 'react';
import { DoubtGlyph, formatCount } from '../../ui/index.ts';

/** One count of a report. */
export function ReportCount({
  name,
  value,
  doubt,
  more,
}: {
  name: string;
  value: number;
  doubt?: boolean;
  more?: ReactNode;
}) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className={doubt && value > 0 ? 'st uncertain' : undefined}>
        {doubt && value > 0 && <DoubtGlyph />}
        {formatCount(value)}
        {more}
      </dd>
    </div>
  );
}
