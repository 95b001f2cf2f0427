import { useState } from 'react';
import { type Job, resultsOf, type Verdict } from '../../../../shared/job.ts';
import { announce, cacheJobs, jobTitle, useJob, useShortcut } from '../../../app/index.ts';
import { call, mediaUrl } from '../../../client/index.ts';
import { AssetImage, PriceWords, Section, VerdictWord } from '../../../ui/index.ts';
import { VERDICT_WORDS } from '../../../words/index.ts';
import { useSoloKeys } from '../audition/useAudition.ts';
import type { JudgeGroupProps } from './JudgeShot.tsx';
import { SoFar } from './SoFar.tsx';
import { VerdictBar } from './VerdictBar.tsx';

/** Results that belong to no shot of this board, up to four at once. */
export function JudgePictures({ group: { ids, title }, all, nextLabel, onNext }: JudgeGroupProps) {
  const [at, setAt] = useState(0);
  const [before, setBefore] = useState<{ id: string; verdict: Verdict | undefined }>();
  const id = ids[Math.min(at, ids.length - 1)] ?? '';
  const job = useJob(id);
  const save = async (of: string, verdict: Verdict | undefined) => {
    const answer = await call('jobs.judge', { id: of, verdict: verdict ?? null });
    if (answer.ok) cacheJobs([answer.data]);
    else announce(answer.error.message);
    return answer.ok;
  };
  const judge = async (verdict: Verdict) => {
    if (!(await save(id, verdict))) return;
    setBefore({ id, verdict: job?.verdict });
    announce(VERDICT_WORDS[verdict].judged);
    setAt(Math.min(at + 1, ids.length - 1));
  };
  const undo = async () => {
    if (!before || !(await save(before.id, before.verdict))) return;
    setAt(ids.indexOf(before.id));
    setBefore(undefined);
  };
  useShortcut('verdict.keep', () => void judge('keep'));
  useShortcut('verdict.maybe', () => void judge('maybe'));
  useShortcut('verdict.no', () => void judge('no'));
  useShortcut('board.undo', () => void undo(), before !== undefined);
  useSoloKeys((index) => setAt(Math.min(index, ids.length - 1)));
  return (
    <>
      <section className="judge-stage aud" aria-label={title} data-panel tabIndex={-1}>
        <div className={`aud-cells of-${Math.max(2, ids.length)}`}>
          {ids.map((each, index) => (
            <Result key={each} id={each} number={index + 1} isSolo={each === id} onSolo={() => setAt(index)} />
          ))}
        </div>
      </section>
      <aside className="panel judge-side" aria-label="Result" data-panel tabIndex={-1}>
        <AboutResult id={id} all={all} />
        <VerdictBar
          verdict={job?.verdict}
          onVerdict={(verdict) => void judge(verdict)}
          nextLabel={nextLabel}
          onNext={onNext}
          onUndo={before && (() => void undo())}
        />
      </aside>
    </>
  );
}

function AboutResult({ id, all }: { id: string; all: readonly string[] }) {
  const job = useJob(id);
  return (
    <>
      <div className="bar">
        <h2 className="cut">{job ? jobTitle(job) : '…'}</h2>
      </div>
      <div className="scroll">
        <Section>
          {job && 'prompt' in job.request && <p>{job.request.prompt}</p>}
          {job && (
            <p className="t3">
              {job.model} <PriceWords nano={job.money.chargedNano} lowNano={job.money.chargedLowNano} as="most" />
            </p>
          )}
        </Section>
        <SoFar ids={all} />
      </div>
    </>
  );
}

function Result({ id, number, isSolo, onSolo }: { id: string; number: number; isSolo: boolean; onSolo: () => void }) {
  const job = useJob(id);
  return (
    <button type="button" className={`cell ${isSolo ? 'solo' : ''}`} aria-pressed={isSolo} onClick={onSolo}>
      <span className="media">
        {job && <Made job={job} />}
        <span className="ov tl">
          <b>{number}</b>
          {isSolo && ' solo'}
        </span>
        {job?.verdict && (
          <span className="ov tr">
            <VerdictWord verdict={job.verdict} />
          </span>
        )}
      </span>
    </button>
  );
}

/** Every result of a job: its clip, its pictures side by side, or its words. */
function Made({ job }: { job: Job }) {
  const results = resultsOf(job);
  if (results.length === 0) return <span className="judge-words">{job.result?.text}</span>;
  return (
    <span className={results.length > 1 ? 'judge-several' : 'fill'}>
      {results.map((asset) =>
        asset.mime.startsWith('video/') && asset.state === 'local' ? (
          <video key={asset.id} src={mediaUrl(asset.id)} preload="metadata" playsInline muted disablePictureInPicture />
        ) : (
          <AssetImage key={asset.id} asset={asset} className="fill" alt={jobTitle(job)} />
        ),
      )}
    </span>
  );
}
