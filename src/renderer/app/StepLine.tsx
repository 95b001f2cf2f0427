import type { ReactNode } from 'react';
import { t } from '../../shared/text/texts.ts';
import { CheckGlyph, DoubtGlyph, FailGlyph } from '../ui/index.ts';

interface StepLineProps {
  label: string;
  step: { ok: boolean; message: string; untried?: string; ms?: number };
  /** What did not pass is no failure: it is not known. */
  isDoubt?: boolean;
  /** What can be done about it. */
  children?: ReactNode;
}

/** One thing that was looked at: whether it is fine, what was found, and how long it took. */
export function StepLine({ label, step: { ok, message, untried, ms }, isDoubt = false, children }: StepLineProps) {
  const isFine = ok && untried === undefined;
  const isOpen = ok ? !isFine : isDoubt;
  const state = isFine ? 't2' : isOpen ? 'st uncertain' : 'st failed';
  return (
    <li>
      <span className={state}>{isFine ? <CheckGlyph /> : isOpen ? <DoubtGlyph /> : <FailGlyph />}</span>
      <b>{label}</b>
      <span className={`t2 grow ${isFine ? 'cut' : 'in-full'}`} title={isFine ? message : undefined}>
        <span className="vh">{ok ? t`Passed` : t`Failed`}</span> {[message, untried].filter(Boolean).join(' ')}
      </span>
      {children}
      {ms !== undefined && <span className="t3 mono">{t`${Math.round(ms)} ms`}</span>}
    </li>
  );
}
