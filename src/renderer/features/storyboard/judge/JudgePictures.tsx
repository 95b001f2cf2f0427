import { t } from '../../../../shared/texts.ts';
import '../player/player.css';
import { useState } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import { type Job, resultsOf, type Verdict } from '../../../../shared/job.ts';
import { undisplayedNote } from '../../../../shared/resultWords.ts';
import { announce, jobTitle, saveVerdict, useJob, useShortcut } from '../../../app/index.ts';
import { mediaUrl } from '../../../client/index.ts';
import { SaveCopy } from '../../../media/SaveCopy.tsx';
import { AssetImage, Section, VerdictWord } from '../../../ui/index.ts';
import { VERDICT_WORDS } from '../../../words/index.ts';
import { useSoloKeys } from '../audition/useAudition.ts';
import { Transport } from '../player/Transport.tsx';
import { JobCost } from './JobCost.tsx';
import type { JudgeGroupProps } from './JudgeShot.tsx';
import { SoFar } from './SoFar.tsx';
import { clipsOf, useClips } from './useClips.ts';
import { VerdictBar } from './VerdictBar.tsx';

/** Results that belong to no shot of this board, up to four at once. */
export function JudgePictures({ group: { ids, title }, all, nextLabel, onNext, onStep }: JudgeGroupProps) {
  const [at, setAt] = useState(0);
  const [before, setBefore] = useState<{ id: string; verdict: Verdict | undefined }>();
  const id = ids[Math.min(at, ids.length - 1)] ?? '';
  const job = useJob(id);
  const { player, onVideo, seconds } = useClips(ids, id);
  const judge = async (verdict: Verdict) => {
    if (!(await saveVerdict(id, verdict))) return;
    setBefore({ id, verdict: job?.verdict });
    announce(VERDICT_WORDS[verdict].judged);
    // To the next one, unless the user has gone on to another one by then.
    setAt((now) => (now === at ? Math.min(at + 1, ids.length - 1) : now));
  };
  const undo = async () => {
    if (!before || !(await saveVerdict(before.id, before.verdict))) return;
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
            <Result
              key={each}
              id={each}
              number={index + 1}
              isSolo={each === id}
              onSolo={() => setAt(index)}
              onVideo={onVideo}
            />
          ))}
        </div>
        {seconds > 0 && <Transport player={player} total={seconds} onShot={onStep} />}
      </section>
      <aside className="panel judge-side" aria-label={t`Result`} data-panel tabIndex={-1}>
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
              {job.model} <JobCost job={job} />
            </p>
          )}
          {job && resultsOf(job).map((asset) => <Undisplayed key={asset.id} asset={asset} />)}
        </Section>
        <SoFar ids={all} />
      </div>
    </>
  );
}

function Undisplayed({ asset }: { asset: Asset }) {
  const note = undisplayedNote(asset);
  return note === undefined ? null : <SaveCopy asset={asset} why={note} />;
}

type OnVideo = ReturnType<typeof useClips>['onVideo'];

interface ResultProps {
  id: string;
  number: number;
  isSolo: boolean;
  onSolo: () => void;
  onVideo: OnVideo;
}

function Result({ id, number, isSolo, onSolo, onVideo }: ResultProps) {
  const job = useJob(id);
  return (
    <button type="button" className={`cell ${isSolo ? 'solo' : ''}`} aria-pressed={isSolo} onClick={onSolo}>
      <span className="media">
        {job && <Made job={job} onVideo={onVideo} />}
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
function Made({ job, onVideo }: { job: Job; onVideo: OnVideo }) {
  const results = resultsOf(job);
  const clips = new Set(clipsOf(job).map(({ id }) => id));
  if (results.length === 0) return <span className="judge-words">{job.result?.text}</span>;
  const shown = results.map((asset) =>
    clips.has(asset.id) ? (
      <video
        key={asset.id}
        ref={onVideo(asset.id)}
        src={mediaUrl(asset.id)}
        preload="auto"
        playsInline
        muted
        disablePictureInPicture
      />
    ) : (
      <AssetImage key={asset.id} asset={asset} className="fill" alt={jobTitle(job)} />
    ),
  );
  return results.length > 1 ? <span className="judge-several">{shown}</span> : shown;
}
