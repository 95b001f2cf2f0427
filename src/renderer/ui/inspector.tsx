import type { ComponentProps, ReactNode } from 'react';
import { t } from '../../shared/text/texts.ts';
import { Boundary } from './boundary.tsx';
import { ErrorBox } from './boxes.tsx';

export interface PanelProps extends Omit<ComponentProps<'aside'>, 'ref'> {
  /** The landmark's name. */
  label: string;
  /** `left` for lists, `right` for inspectors; the centre is a `section`. */
  side?: 'left' | 'right' | 'centre';
}

/** A panel of a page; F6 visits panels in document order. Its scrolling part needs `className="scroll"`. */
export function Panel({ label, side = 'right', className = '', children, ...rest }: PanelProps) {
  const [Landmark, look] = LANDMARKS[side];
  return (
    <Landmark {...rest} className={`${look} ${className}`} aria-label={label} data-panel tabIndex={-1}>
      <Boundary
        of={children}
        instead={(_, tryAgain) => (
          <ErrorBox title={t`${label} could not be shown`} actions={[{ label: t`Show it again`, onDo: tryAgain }]} />
        )}
      >
        {children}
      </Boundary>
    </Landmark>
  );
}

const LANDMARKS = { left: ['aside', 'panel l'], right: ['aside', 'panel'], centre: ['section', 'col'] } as const;

/** A block of an inspector with a small heading and content at its right end. */
export function Section({ title, end, children }: { title?: ReactNode; end?: ReactNode; children: ReactNode }) {
  return (
    <div className="sec">
      {title && !end && <h3>{title}</h3>}
      {title && end && (
        <div className="row between">
          <h3>{title}</h3>
          {end}
        </div>
      )}
      {children}
    </div>
  );
}

/** Facts in two columns; those without a value are left out. */
export function KeyValue({
  items,
}: {
  items: readonly (readonly [name: string, value: ReactNode] | false | undefined)[];
}) {
  const empty = new Set<ReactNode>([undefined, null, '', false]);
  const shown = items.filter((item) => item && !empty.has(item[1]));
  return (
    <dl className="kv">{shown.map((item) => item && <KeyValueRow key={item[0]} name={item[0]} value={item[1]} />)}</dl>
  );
}

function KeyValueRow({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </>
  );
}

/** A thin progress line with its accessible value; without a label, the meaning is written beside it. */
export function ProgressBar({ percent, label }: { percent: number; label?: string }) {
  const value = { 'aria-valuenow': Math.floor(percent), 'aria-valuemin': 0, 'aria-valuemax': 100 };
  const spoken = label === undefined ? { 'aria-hidden': true } : { role: 'progressbar', 'aria-label': label, ...value };
  return (
    <div className="prog" {...spoken}>
      <i style={{ width: `${percent}%` }} />
    </div>
  );
}
