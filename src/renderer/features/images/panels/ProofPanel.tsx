import { Columns2 } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { parseInput } from '../../../../shared/contract/result.ts';
import { type Job, resultsOf } from '../../../../shared/jobs/job.ts';
import { readiness } from '../../../../shared/jobs/readiness.ts';
import { editRequestSchema } from '../../../../shared/kinds/edit.ts';
import { KINDS, type StudioRequest } from '../../../../shared/kinds/index.ts';
import type { Asset } from '../../../../shared/library/asset.ts';
import type { LookUpMedia } from '../../../../shared/library/mediaRef.ts';
import { counted, t } from '../../../../shared/text/texts.ts';
import type { ImageOptions } from '../../../../shared/wire/image.ts';
import {
  announce,
  cacheJobs,
  navigate,
  useEntities,
  useModelLimits,
  useProjectId,
  useRunningWords,
} from '../../../app/index.ts';
import { mediaUrl } from '../../../client/index.ts';
import { useKnownMedia } from '../../../media/useMedia.ts';
import { PriceRow, SpendBar, sendOnce, usePrice } from '../../../spending/index.ts';
import {
  Button,
  CheckGlyph,
  DraftGlyph,
  ErrorBox,
  FailGlyph,
  formatBytes,
  Icon,
  JobStateGlyph,
  Panel,
  Section,
  TextAction,
} from '../../../ui/index.ts';
import { errorText, reasonText, STATE_WORDS } from '../../../words/index.ts';
import { forgetRefusedMask, maskAsset } from '../maskFiles.ts';
import { editFacts } from '../model/gallery.ts';
import { openPicture, useImages, useMask } from '../useImages.ts';
import { type Proven, useProof } from '../useProof.ts';
import { useImageFormat } from './FormatFields.tsx';
import { OutsideSection } from './OutsideSection.tsx';
import styles from './panels.module.css';
import { ShapeSection } from './ShapeSection.tsx';

interface ProofPanelProps {
  asset: Asset;
  job: Job | undefined;
}

export function ProofPanel({ asset, job }: ProofPanelProps) {
  const [{ document }] = useMask(asset);
  const { proven, error, isStale } = useProof(document, asset);
  const off = useEditReason(asset, proven, isStale);
  return (
    <Panel label={t`Mask check`}>
      <div className="bar">
        <h2>{t`Mask check`}</h2>
        <span className="grow" />
        <span className="t2 row gap-s" role="status">
          {off ? <DraftGlyph /> : <CheckGlyph />}
          {isStale ? t`Checking…` : off ? t`Not ready` : t`Ready to send`}
        </span>
      </div>
      <div className="scroll">
        <ShapeSection asset={asset} />
        {error && <ErrorBox title={error} />}
        {proven && <Pictures asset={asset} proven={proven} />}
        {proven && <Checks asset={asset} proven={proven} />}
        <OutsideSection asset={asset} job={job} />
      </div>
      <EditSend asset={asset} proven={isStale ? undefined : proven} off={off} />
    </Panel>
  );
}

function Pictures({ asset, proven }: { asset: Asset; proven: Proven }) {
  const shape = { aspectRatio: `${asset.width} / ${asset.height}` };
  const mask = `url("${proven.url}")`;
  return (
    <Section>
      <div className={styles.proof}>
        <figure>
          <div className={`media ${styles.sent}`} style={shape}>
            <img src={proven.url} alt={t`Mask`} />
          </div>
          <figcaption>{t`File that is sent`}</figcaption>
        </figure>
        <figure>
          <div className="media" style={shape}>
            <img className={styles.dim} src={mediaUrl(asset.id)} alt="" />
            <img
              style={{ maskImage: mask, maskMode: 'luminance', maskSize: '100% 100%' }}
              src={mediaUrl(asset.id)}
              alt={t`Painted part`}
            />
          </div>
          <figcaption>{t`Over the picture`}</figcaption>
        </figure>
      </div>
    </Section>
  );
}

function Checks({ asset, proven: { proof } }: { asset: Asset; proven: Proven }) {
  const { checks } = proof;
  const size = `${proof.width} × ${proof.height}`;
  return (
    <Section>
      <dl className={`kv ${styles.checks}`}>
        <Check name={t`Size`} isGood={checks.size}>
          {checks.size ? size : t`${size}, the source has ${asset.width} × ${asset.height}`}
        </Check>
        <Check name={t`Values`} isGood={checks.values}>
          {checks.values ? t`Black and white` : t`${counted(proof.other, 'pixel')} grey`}
        </Check>
        <Check name={t`Not empty`} isUnfinished isGood={checks.notEmpty}>
          {checks.notEmpty ? t`${counted(proof.white, 'pixel')} white` : t`Nothing painted yet`}
        </Check>
        <Check name={t`File`} isGood={checks.file}>
          {checks.file ? t`${proof.bitDepth}-bit PNG, ${formatBytes(proof.bytes)}` : t`Differs from the painted mask`}
        </Check>
      </dl>
      <div className="row between mt">
        <span className="lab">{t`Coverage`}</span>
        <b>{coverage(proof.coverage)}</b>
      </div>
      <div className={styles.coverage}>
        <i style={{ width: `${proof.coverage * 100}%` }} />
      </div>
    </Section>
  );
}

interface CheckProps {
  name: string;
  isGood: boolean;
  /** The mask is still being painted, so its problems are not errors yet. */
  isUnfinished?: boolean;
  children: ReactNode;
}

function Check({ name, isGood, isUnfinished, children }: CheckProps) {
  return (
    <>
      <dt>{name}</dt>
      <dd className={`row ${isGood ? '' : styles.bad}`}>
        {isGood ? <CheckGlyph /> : isUnfinished ? <DraftGlyph /> : <FailGlyph />}
        {children}
      </dd>
    </>
  );
}

/** `2.9 %`; a small painted mask is never shown as 0. */
const coverage = (share: number): string => (share > 0 && share < 0.001 ? '< 0.1 %' : `${(share * 100).toFixed(1)} %`);

const DRAFT_MASK = 'draft-mask';

/** Why the edit cannot be sent, by the studio's own rules. */
function useEditReason(asset: Asset, proven: Proven | undefined, isStale: boolean): string | undefined {
  const { editPrompt } = useImages();
  const options = useEditOptions();
  const limits = useModelLimits();
  const { lookUp } = useKnownMedia([{ assetId: asset.id }, ...(asset.jobId ? [{ jobId: asset.jobId }] : [])]);
  if (!proven || isStale) return t`Checking…`;
  if (asset.state !== 'local') return t`The picture is not stored here.`;
  const withDraft: LookUpMedia = (ref) =>
    'assetId' in ref && ref.assetId === DRAFT_MASK
      ? {
          status: 'ready',
          type: 'image',
          mime: 'image/png',
          width: proven.proof.width,
          height: proven.proof.height,
          pureMask: proven.proof.checks.values && proven.proof.checks.file,
        }
      : lookUp(ref);
  const parsed = parseInput(editRequestSchema, editRequest(asset.id, DRAFT_MASK, editPrompt, options));
  if (!parsed.ok) return errorText(parsed.error);
  const [reason] = readiness(parsed.data, withDraft, limits(options.model));
  if (reason) return reasonText(reason);
  return proven.proof.white === 0 ? t`Paint the area to change.` : undefined;
}

type EditOptions = ImageOptions & { timeout?: number };

/** The options of the API format, or the time limit of an image task. */
function useEditOptions(): EditOptions {
  const { timeout } = useImages();
  const format = useImageFormat();
  return format?.options ?? (timeout === null ? {} : { timeout });
}

const editRequest = (base: string, mask: string, prompt: string, options: EditOptions): StudioRequest => ({
  kind: 'edit',
  base: { assetId: base },
  mask: { assetId: mask },
  ...(prompt.trim() === '' ? {} : { prompt: prompt.trim() }),
  ...options,
});

function EditSend({ asset, proven, off }: { asset: Asset; proven: Proven | undefined; off: string | undefined }) {
  const { editPrompt } = useImages();
  const options = useEditOptions();
  const projectId = useProjectId();
  const { model, n = 1 } = options;
  const now = usePrice({ kind: KINDS.edit.name, model, quantity: { images: n } });
  const send = async (night: boolean) => {
    if (off || !proven?.proof.ok) return off;
    const { file } = proven;
    const mask = await maskAsset(file, `mask-${asset.name.replace(/[^\w-]+/g, '-').slice(0, 40)}.png`);
    if ('error' in mask) return mask.error;
    const request = editRequest(asset.id, mask.id, editPrompt, options);
    const answer = await sendOnce('jobs.enqueue', {
      requests: [request],
      ...(projectId ? { projectId } : {}),
      shown: now.shown,
      ...(night ? { night: true } : {}),
    });
    if (!answer.ok) {
      await forgetRefusedMask(file, answer.error);
      return answer.error;
    }
    cacheJobs(answer.data.jobs);
    useImages.setState({ strip: 'all', sentEdit: answer.data.jobs[0]?.id });
    announce(`${t`Edit`}: ${night ? t`Scheduled overnight` : STATE_WORDS.queued}`);
    return undefined;
  };
  return (
    <SpendBar
      label={t`Send edit`}
      off={off ?? now.off}
      onSend={() => send(false)}
      tonight={{ what: t`Send edit`, shown: now.shown, onSend: () => send(true) }}
    >
      <SentEdit asset={asset} />
      <PriceRow what={t`1 edit`} now={now} kind="image" />
    </SpendBar>
  );
}

function SentEdit({ asset }: { asset: Asset }) {
  const { sentEdit } = useImages();
  const jobs = useEntities((state) => state.jobs);
  const job = sentEdit === undefined ? undefined : jobs.get(sentEdit);
  const isOurs = editFacts(job, jobs)?.baseId === asset.id;
  const [result] = job && isOurs ? resultsOf(job) : [];
  const running = useRunningWords(job);
  const isMade = result !== undefined && job?.state === 'succeeded';
  useEffect(() => {
    if (isMade) announce(`${t`Edit`}: ${STATE_WORDS.succeeded}`);
  }, [isMade]);
  if (!job || !isOurs) return null;
  if (!isMade) {
    return (
      <div className="row between">
        <JobStateGlyph state={job.state} progress={job.progress}>
          {[STATE_WORDS[job.state], running].filter(Boolean).join(', ')}
        </JobStateGlyph>
        <TextAction onClick={() => navigate('queue', { job: job.id })}>{t`Open in Queue`}</TextAction>
      </div>
    );
  }
  const see = () => {
    openPicture(result.id, 'slider');
    useImages.setState({ tab: 'imagine', isDrawerOpen: false, sentEdit: undefined });
  };
  return (
    <div className="row between">
      <JobStateGlyph state="succeeded">{STATE_WORDS.succeeded}</JobStateGlyph>
      <Button onClick={see}>
        <Icon of={Columns2} />
        {t`Compare edit`}
      </Button>
    </div>
  );
}
