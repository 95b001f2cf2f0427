import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import type { JobState } from '../../shared/jobs/job.ts';
import type { AssetState } from '../../shared/library/asset.ts';
import { STATE_WORDS } from '../words/index.ts';
import { type StorageState, useStorage } from './storage.ts';

/**
 * The glyphs of job and storage states. Shapes differ, not only colours: circle = active, bare mark = done, filled square = refused, dashed
 * diamond = unconfirmed.
 */

const stroke = { fill: 'none', stroke: 'currentColor', strokeWidth: 1.4 } as const;
const round = { strokeLinecap: 'round', strokeLinejoin: 'round' } as const;
const ring = <circle cx="7" cy="7" r="5.2" {...stroke} />;

function Glyph({ children }: { children: ReactNode }) {
  return (
    <svg className="g" viewBox="0 0 14 14" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

/** A ring with the true percentage; without one it shows a quarter turn, beside a running clock. */
export function ProgressRing({ percent }: { percent?: number | undefined }) {
  const around = 2 * Math.PI * 5.2;
  const arc = ((percent && percent > 0 ? Math.min(percent, 100) : 25) / 100) * around;
  return (
    <Glyph>
      <circle cx="7" cy="7" r="5.2" {...stroke} strokeOpacity=".3" strokeWidth="2" />
      <circle
        cx="7"
        cy="7"
        r="5.2"
        {...stroke}
        strokeWidth="2"
        strokeDasharray={`${arc} ${around}`}
        transform="rotate(-90 7 7)"
      />
    </Glyph>
  );
}

export function CheckGlyph() {
  return (
    <Glyph>
      <path d="m2.4 7.4 3 3 6.2-6.8" {...stroke} {...round} strokeWidth="1.6" />
    </Glyph>
  );
}

export function FailGlyph() {
  return (
    <Glyph>
      <rect x="1" y="1" width="12" height="12" rx="1.5" fill="currentColor" />
      <path d="m4.5 4.5 5 5m0-5-5 5" stroke="var(--bg-panel)" strokeWidth="1.7" strokeLinecap="round" />
    </Glyph>
  );
}

export function UncertainGlyph() {
  return (
    <Glyph>
      <path d="M7 .2 13.8 7 7 13.8.2 7Z" {...stroke} strokeDasharray="6.4 3.217" strokeDashoffset="-1.6" />
      <path d="M5.5 5.8c.1-1.7 3-1.7 3 .1 0 1.2-1.5 1.1-1.5 2.1" {...stroke} strokeWidth="1.35" strokeLinecap="round" />
      <circle cx="7" cy="10" r=".85" fill="currentColor" />
    </Glyph>
  );
}

export function DraftGlyph() {
  return (
    <Glyph>
      <circle cx="7" cy="7" r="5.2" {...stroke} strokeDasharray="1.2 2.07" />
    </Glyph>
  );
}

const STATE_GLYPHS: Record<Exclude<JobState, 'running'>, () => ReactNode> = {
  queued: () => (
    <Glyph>
      {ring}
      <path d="M7 4.2V7l1.9 1.3" {...stroke} strokeLinecap="round" />
    </Glyph>
  ),
  blocked: () => (
    <Glyph>
      {ring}
      <path d="M5.5 5v4M8.5 5v4" {...stroke} strokeWidth="1.5" strokeLinecap="round" />
    </Glyph>
  ),
  sending: () => (
    <Glyph>
      {ring}
      <path d="M7 9.7V4.6M4.9 6.5 7 4.4l2.1 2.1" {...stroke} {...round} />
    </Glyph>
  ),
  fetching: () => (
    <Glyph>
      <path d="M7 1.6v7M4.1 5.9 7 8.8l2.9-2.9M2 12.2h10" {...stroke} {...round} strokeWidth="1.6" />
    </Glyph>
  ),
  succeeded: CheckGlyph,
  failed: FailGlyph,
  canceled: () => (
    <Glyph>
      {ring}
      <path d="m3.4 10.6 7.2-7.2" {...stroke} />
    </Glyph>
  ),
  uncertain: UncertainGlyph,
};

export interface JobStateProps {
  state: JobState;
  /** 0 to 100, for the ring of a running job; its text is from `runningWords`. */
  progress?: number | undefined;
  /** Text instead of the state's name ("62 %, 1:05"). */
  children?: ReactNode;
  /** Shows the glyph only; the name becomes the accessible name and the tooltip. */
  bare?: boolean;
}

/** The glyph and name of a job's state. */
export function JobStateGlyph({ state, progress, children, bare }: JobStateProps) {
  const Shape = state === 'running' ? undefined : STATE_GLYPHS[state];
  const word = STATE_WORDS[state];
  return (
    <span className={`st ${state}`} title={bare ? word : undefined}>
      {Shape ? <Shape /> : <ProgressRing percent={progress} />}
      {bare ? <span className="vh">{word}</span> : <span>{children ?? word}</span>}
    </span>
  );
}

export function DiskGlyph() {
  return (
    <Glyph>
      <path d="m3.2 3 -1.7 4.6V11h11V7.6L10.8 3Z" {...stroke} strokeLinejoin="round" />
      <path d="M1.5 7.6h11M9.6 9.4h.8" {...stroke} {...round} />
    </Glyph>
  );
}

export function CloudGlyph() {
  return (
    <Glyph>
      <path
        d="M4 11.5h6a2.8 2.8 0 0 0 .5-5.5A3.8 3.8 0 0 0 3.2 6.3 2.7 2.7 0 0 0 4 11.5Z"
        {...stroke}
        strokeLinejoin="round"
      />
    </Glyph>
  );
}

export function ExpiredGlyph() {
  return (
    <Glyph>
      <rect x="1.5" y="1.5" width="11" height="11" rx="1.5" {...stroke} strokeDasharray="2 1.6" />
      <path d="m4.6 4.6 4.8 4.8m0-4.8-4.8 4.8" {...stroke} strokeWidth="1.5" />
    </Glyph>
  );
}

export function LastHourGlyph() {
  return (
    <Glyph>
      <path d="M7 1.8 13 12.3H1Z" {...stroke} strokeLinejoin="round" />
      <path d="M7 5.6v3.2M7 10.4v.4" {...stroke} {...round} strokeWidth="1.5" />
    </Glyph>
  );
}

const STORAGE_GLYPHS: Record<AssetState, () => ReactNode> = {
  local: DiskGlyph,
  remote: CloudGlyph,
  expired: ExpiredGlyph,
};

/**
 * Where an asset's bytes are: drive = stored here; cloud with the remaining time = only at the gateway; triangle = less than an hour left;
 * broken box = lost.
 */
export function StorageGlyph({ storage, bare }: { storage: StorageState; bare?: boolean }) {
  const { left, words, isSoon, isLast } = useStorage(storage);
  const Shape = isLast ? LastHourGlyph : STORAGE_GLYPHS[storage.state];
  const className = storage.state === 'expired' ? 'gone' : isSoon ? 'remote' : '';
  return (
    <span className={`cust ${className}`} title={bare ? words : undefined}>
      <Shape />
      {bare ? <span className="vh">{words}</span> : <span>{words}</span>}
      {bare && left && <span aria-hidden="true">{left}</span>}
    </span>
  );
}

/** An icon in one of three sizes (14, 16, 18 px). Decorative: the control has the name. */
export function Icon({ of: Glyph, size = 's' }: { of: LucideIcon; size?: 's' | 'm' | 'l' }) {
  const className = size === 'm' ? 'i' : `i i-${size}`;
  return <Glyph className={className} aria-hidden="true" focusable="false" />;
}
