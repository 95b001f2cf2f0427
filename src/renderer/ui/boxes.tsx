import { WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { StudioError } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import { ERROR_HINTS } from '../words/index.ts';
import { Button } from './button.tsx';
import { DoubtGlyph, FailGlyph, Icon } from './glyphs.tsx';

/** Says what to do first and what it would cost. No drawing. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="blank">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Why the click just made did nothing: one sentence at its place. */
export function Refusal({ text }: { text: string | undefined }) {
  return (
    text !== undefined && (
      <p className="err" role="alert">
        <FailGlyph />
        <span>{text}</span>
      </p>
    )
  );
}

/** Loading is shown only when it lasts: after 120 ms. */
export const LOADING_DELAY_MS = 120;

/** Still bars at the final size of what comes. No shimmer: nothing that glows beside a picture. */
export function LoadingBars({
  rows = 3,
  media = true,
  label = t`Loading`,
}: {
  rows?: number;
  media?: boolean;
  label?: string;
}) {
  const [late, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LOADING_DELAY_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="skel" aria-busy="true" role="status">
      <span className="vh">{label}</span>
      {late &&
        Array.from({ length: rows }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the bars are all alike.
          <div key={row} aria-hidden="true">
            {media && <i className="skel-pic" />}
            <i style={{ width: [180, 240, 150, 210][row % 4] }} />
            <span className="grow" />
            <i style={{ width: 44 }} />
          </div>
        ))}
    </div>
  );
}

export interface Cure {
  label: string;
  onCure: () => void;
}

export interface ErrorBoxProps {
  /** What did not work: "The gateway refused the key (401)". */
  title: ReactNode;
  /** What was sent and billed, if only "nothing"; request id; what waits. */
  children?: ReactNode;
  /** What to do about it, the likeliest first. */
  cures?: readonly Cure[];
}

interface NoteProps extends Omit<ErrorBoxProps, 'cures'> {
  look?: 'fail' | 'doubt';
  mark: ReactNode;
  ways?: ReactNode;
}

/** A mark, what it is about, and the ways on. */
const Note = ({ look, mark, title, children, ways }: NoteProps) => (
  <div className={`note ${look ?? ''}`} role={look === 'fail' ? 'alert' : undefined}>
    {mark}
    <div className="grow">
      <b>{title}</b>
      {children && <div className="t2">{children}</div>}
      {ways}
    </div>
  </div>
);

const FAILED = (
  <span className="st failed">
    <FailGlyph />
  </span>
);

/** A definite no, with its cure. */
export const ErrorBox = ({ cures = [], ...note }: ErrorBoxProps) => (
  <Note look="fail" mark={FAILED} {...note} ways={<Cures cures={cures} />} />
);

function Cures({ cures }: { cures: readonly Cure[] }) {
  if (cures.length === 0) return null;
  return (
    <div className="row cures">
      {cures.map((cure, index) => (
        <Button key={cure.label} variant={index === 0 ? 'secondary' : 'ghost'} onClick={cure.onCure}>
          {cure.label}
        </Button>
      ))}
    </div>
  );
}

/** A call that failed: what happened, what it means, and "Try again". */
export function CallError({ error, onRetry }: { error: StudioError; onRetry?: () => void }) {
  return (
    <ErrorBox title={error.message} cures={onRetry ? [{ label: t`Try again`, onCure: onRetry }] : []}>
      {ERROR_HINTS[error.code]}
    </ErrorBox>
  );
}

/** A call, a list, or whatever else is read. */
export interface Read<Data> {
  data?: Data | undefined;
  error?: StudioError | undefined;
  loading?: boolean;
  reload?: (() => void) | undefined;
}

interface ReadingProps<Data> {
  of: Read<Data>;
  rows?: number;
  media?: boolean;
  children?: (data: Data) => ReactNode;
}

/** Bars while it is read, else why it could not be, else what is made of it. Data that are there stay, whatever a later reading answers. */
export function Reading<Data>({ of, rows = 4, media = false, children }: ReadingProps<Data>) {
  const { data, error, loading = true, reload } = of;
  if (data !== undefined) return children?.(data);
  if (!error && !loading) return null;
  return (
    <div className="pad">
      {error ? (
        <CallError error={error} {...(reload && { onRetry: reload })} />
      ) : (
        <LoadingBars rows={rows} media={media} label={t`Loading`} />
      )}
    </div>
  );
}

const DOUBT = (
  <span className="st uncertain">
    <DoubtGlyph />
  </span>
);

interface DoubtBoxProps extends Omit<NoteProps, 'look' | 'mark' | 'ways'> {
  actions?: ReactNode;
}

/** Evidence first, then the ways out. Never a red banner: it is not an error. */
export const DoubtBox = ({ actions, ...note }: DoubtBoxProps) => (
  <Note look="doubt" mark={DOUBT} {...note} ways={actions && <div className="row cures">{actions}</div>} />
);

/** Says what still works, which is nearly all. */
export const OfflineBox = (note: Pick<NoteProps, 'title' | 'children'>) => (
  <Note mark={<Icon of={WifiOff} />} {...note} />
);
