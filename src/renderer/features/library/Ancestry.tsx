import type { Asset } from '../../../shared/asset.ts';
import type { Job } from '../../../shared/job.ts';
import { shownName } from '../../../shared/shownName.ts';
import { jobTitle, navigate, useAsset, useJob } from '../../app/index.ts';
import { JobStateGlyph, Section, TextAction, Thumb } from '../../ui/index.ts';

/** Each level is one more thing to read; further back one goes by opening. */
const LEVELS = 4;

interface Origin {
  field: string;
  assetId?: string | undefined;
  jobId?: string | undefined;
  uri?: string | undefined;
}

/** What a file is made from: the clip it is a frame of, and what was sent with its order. */
function originsOf(asset: Asset | undefined, job: Job | undefined): Origin[] {
  const parent = asset?.parentId;
  const inputs: Origin[] = job?.inputs ?? [];
  // Before it was sent nothing is kept of its media; what it waits for is known.
  const awaited = job && inputs.length === 0 ? job.dependsOn.map((jobId) => ({ field: 'job', jobId })) : [];
  const frame = parent === undefined ? [] : [{ field: 'parent', assetId: parent }];
  // A frame is its clip's, and what the clip was made from stands with the clip.
  return frame.length > 0 ? frame : [...inputs, ...awaited];
}

const FIELD_WORDS: Partial<Record<string, string>> = {
  image: 'First frame',
  lastFrame: 'Last frame',
  video: 'Extends',
  base: 'Edit of',
  mask: 'Mask',
  parent: 'Frame of',
  job: 'After',
};

function wordsOf(field: string): string {
  const [name = '', index] = field.split('.');
  if (name === 'referenceImages') return `Reference ${Number(index ?? 0) + 1}`;
  return FIELD_WORDS[name] ?? 'Made from';
}

/** Both ways: what it was made from, nearest first and each with its own origins under it, and what was made from it. */
export function Ancestry({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const origins = originsOf(asset, job);
  const lastFrame = useAsset(asset.lastFrameId);
  if (origins.length === 0 && !lastFrame) return null;
  return (
    <>
      {origins.length > 0 && (
        <Section title="Made from">
          <Origins origins={origins} seen={[asset.id, job?.id ?? '']} />
        </Section>
      )}
      {lastFrame && (
        <Section title="Made from it">
          <ul className="anc">
            <li>
              <AssetLine asset={lastFrame} words="Its last frame" />
            </li>
          </ul>
        </Section>
      )}
    </>
  );
}

function Origins({ origins, seen }: { origins: readonly Origin[]; seen: readonly string[] }) {
  const shown = origins.filter(({ assetId, jobId, uri }) => !seen.includes(assetId ?? jobId ?? uri ?? ''));
  if (shown.length === 0) return null;
  return (
    <ul className="anc">
      {shown.map((origin) => (
        <OriginLine
          key={`${origin.field} ${origin.assetId ?? origin.jobId ?? origin.uri}`}
          origin={origin}
          seen={seen}
        />
      ))}
    </ul>
  );
}

function OriginLine({ origin, seen }: { origin: Origin; seen: readonly string[] }) {
  const { field, assetId, jobId, uri } = origin;
  const asset = useAsset(assetId);
  const job = useJob(asset?.jobId ?? jobId);
  const words = wordsOf(field);
  const path = [...seen, assetId ?? jobId ?? uri ?? ''];
  return (
    <li>
      {asset && <AssetLine asset={asset} words={words} />}
      {!asset && job && <JobLine job={job} words={words} />}
      {!asset && !job && (
        <span className="row">
          <span className="t3 nw">{words}</span>
          <span className="cut mono">{uri === undefined ? 'not in this library' : shownName(uri)}</span>
        </span>
      )}
      {path.length <= LEVELS + 1 && <Origins origins={originsOf(asset, job)} seen={path} />}
    </li>
  );
}

function AssetLine({ asset, words }: { asset: Asset; words: string }) {
  return (
    <span className="row">
      <Thumb asset={asset} small />
      <TextAction className="cut" onClick={() => navigate('library', { asset: asset.id })}>
        {asset.name}
      </TextAction>
      <span className="grow" />
      <span className="t3 nw">{words}</span>
    </span>
  );
}

function JobLine({ job, words }: { job: Job; words: string }) {
  return (
    <span className="row">
      <TextAction className="cut" onClick={() => navigate('queue', { job: job.id })}>
        {jobTitle(job)}
      </TextAction>
      <JobStateGlyph state={job.state} bare />
      <span className="grow" />
      <span className="t3 nw">{words}</span>
    </span>
  );
}
