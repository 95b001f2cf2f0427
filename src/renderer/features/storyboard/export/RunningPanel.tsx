import { useState } from 'react';
import type { Export } from '../../../../shared/film/filmExport.ts';
import { t } from '../../../../shared/text/texts.ts';
import { ActionButton, useAction, useNow } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  Button,
  CheckGlyph,
  DraftGlyph,
  formatSpan,
  Panel,
  ProgressBar,
  ProgressRing,
  Refusal,
  Section,
} from '../../../ui/index.ts';
import styles from './export.module.css';
import { type ExportStep, stepsOf } from './exportView.ts';
import { useExportsView } from './useExports.ts';

/** An export while it is made: how far it is, and the way to stop it, which asks nothing. */
export function RunningPanel({ one, onLeave }: { one: Export; onLeave: () => void }) {
  const { refusal, run, isBusy: isCanceling } = useAction();
  const started = useExportsView((view) => view.started[one.id]);
  const cancel = () => void run(call('exports.cancel', { id: one.id }));
  return (
    <Panel label={t`Export`} className={styles.xPanel}>
      <div className="bar">
        <h2>{t`Exporting`}</h2>
        <span className="grow" />
        <Button variant="ghost" onClick={onLeave}>
          {t`New export`}
        </Button>
      </div>
      <div className="scroll">
        <Progress one={one} />
        <ol className="steps bottom-line">
          {stepsOf(one, started).map((step) => (
            <Step key={step.title} step={step} />
          ))}
        </ol>
      </div>
      <div className="sendbar">
        <Refusal text={refusal} />
        <div className="row">
          <ActionButton className="grow" action="page.leave" busy={isCanceling} onDo={cancel}>
            {t`Cancel export`}
          </ActionButton>
        </div>
      </div>
    </Panel>
  );
}

function Progress({ one }: { one: Export }) {
  const left = useTimeLeft(one);
  return (
    <Section>
      <div className="row">
        <span className="st running">
          <ProgressRing percent={one.progress} />
          <span>
            {[`${one.progress} %`, left !== undefined && t`${formatSpan(left)} left`].filter(Boolean).join(', ')}
          </span>
        </span>
      </div>
      <ProgressBar percent={one.progress} label={one.name} />
      <p className="t2 cut">{one.name}</p>
    </Section>
  );
}

const STEP_GLYPHS = { done: <CheckGlyph />, now: <ProgressRing />, waits: <DraftGlyph /> } as const;

function Step({ step: { title, state } }: { step: ExportStep }) {
  const tone = { done: '', now: 'st running', waits: 't3' }[state];
  return (
    <li className={tone} {...(state === 'now' ? { 'aria-current': 'step' as const } : {})}>
      {STEP_GLYPHS[state]}
      <span className="grow">{title}</span>
    </li>
  );
}

/** Percent that must have gone by before a time is told. */
const TOLD_AFTER = 3;

/** Milliseconds left, from how fast it went while this page looked. */
function useTimeLeft({ id, progress }: Export): number | undefined {
  const now = useNow(1_000);
  const [first, setFirst] = useState({ id, progress, at: now });
  if (first.id !== id) setFirst({ id, progress, at: now });
  const done = progress - first.progress;
  if (first.id !== id || done < TOLD_AFTER || now <= first.at) return undefined;
  return ((now - first.at) / done) * (100 - progress);
}
