import { WifiOff } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import type { StudioError } from '../../shared/contract/result.ts';
import { t } from '../../shared/text/texts.ts';
import { ERROR_HINTS } from '../words/index.ts';
import { Button } from './button.tsx';
import { FailGlyph, Icon, UncertainGlyph } from './glyphs.tsx';

/** Says what to do first and what it would cost. No illustration. */
export function EmptyState({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className="blank">
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {action}
    </div>
  );
}

/** Why the last click did nothing: one sentence at its place. */
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

/** Loading is shown only after this time. */
export const LOADING_DELAY_MS = 120;

/** Static bars in the final size of the content. No shimmer beside pictures. */
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

export interface BoxAction {
  label: string;
  onDo: () => void;
}

export interface ErrorBoxProps {
  /** What failed: "The gateway refused the key (401)". */
  title: ReactNode;
  /** What was sent and billed, even if nothing; the request id; what waits. */
  children?: ReactNode;
  /** What to do about it, most likely first. */
  actions?: readonly BoxAction[];
}

interface NoteProps extends Omit<ErrorBoxProps, 'actions'> {
  look?: 'fail' | 'doubt';
  mark: ReactNode;
  ways?: ReactNode;
}

/** A mark, a text, and actions. */
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

/** A definite failure, with what to do about it. */
export const ErrorBox = ({ actions = [], ...note }: ErrorBoxProps) => (
  <Note look="fail" mark={FAILED} {...note} ways={<BoxActions actions={actions} />} />
);

function BoxActions({ actions }: { actions: readonly BoxAction[] }) {
  if (actions.length === 0) return null;
  return (
    <div className="row box-actions">
      {actions.map((action, index) => (
        <Button key={action.label} variant={index === 0 ? 'secondary' : 'ghost'} onClick={action.onDo}>
          {action.label}
        </Button>
      ))}
    </div>
  );
}

/** A call that failed: what happened, what it means, and "Try again". */
export function CallError({ error, onRetry }: { error: StudioError; onRetry?: () => void }) {
  return (
    <ErrorBox title={error.message} actions={onRetry ? [{ label: t`Try again`, onDo: onRetry }] : []}>
      {ERROR_HINTS[error.code]}
    </ErrorBox>
  );
}

/** The state of anything that is read: a call, a list. */
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

/** Bars while reading, else the error, else the rendered data. Data stay whatever a later reading answers. */
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

const UNCERTAIN = (
  <span className="st uncertain">
    <UncertainGlyph />
  </span>
);

interface UncertainBoxProps extends Omit<NoteProps, 'look' | 'mark' | 'ways'> {
  actions?: ReactNode;
}

/** The facts first, then the actions. Not red: this is no error. */
export const UncertainBox = ({ actions, ...note }: UncertainBoxProps) => (
  <Note look="doubt" mark={UNCERTAIN} {...note} ways={actions && <div className="row box-actions">{actions}</div>} />
);

/** Says what still works offline, which is nearly everything. */
export const OfflineBox = (note: Pick<NoteProps, 'title' | 'children'>) => (
  <Note mark={<Icon of={WifiOff} />} {...note} />
);
