import { ChevronDown } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { bareAddressesIn } from '../../../shared/gateway/bareAddress.ts';
import { wordsOfDifferences } from '../../../shared/jobs/difference.ts';
import type { Job, Verdict } from '../../../shared/jobs/job.ts';
import { isSeedUnsent, sentSeedOf, UNSENT_SEED } from '../../../shared/jobs/resultWords.ts';
import { kindOf, promptOf } from '../../../shared/kinds/index.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { displayedAs } from '../../../shared/library/mediaFormats.ts';
import { safeName } from '../../../shared/text/safeText.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  ActionButton,
  announce,
  copyJobAsCurl,
  copyText,
  evidenceOfJob,
  MoneyPlate,
  navigate,
  RatingChoice,
  saveVerdict,
  useAsset,
  useShortcut,
  useWholeJob,
} from '../../app/index.ts';
import { downloadUrl } from '../../client/index.ts';
import { AssetName } from '../../media/AssetName.tsx';
import { DownloadNow } from '../../media/DownloadNow.tsx';
import {
  Button,
  EmptyState,
  formatBytes,
  formatSeconds,
  formatStamp,
  Icon,
  KeyValue,
  Menu,
  Panel,
  PriceTag,
  Reading,
  SaveLink,
  Section,
  StorageGlyph,
  TextAction,
} from '../../ui/index.ts';
import { NOT_JUDGED, VERDICT_WORDS } from '../../words/index.ts';
import { Ancestry } from './Ancestry.tsx';
import { Found } from './Found.tsx';
import styles from './library.module.css';
import { Player } from './Player.tsx';

interface DetailsProps {
  id: string | undefined;
  panelRef: RefObject<HTMLDivElement | null>;
  /** Replaces the details of one asset if several are selected. */
  children?: ReactNode;
}

export function Details({ id, panelRef, children }: DetailsProps) {
  const asset = useAsset(id);
  return (
    <Panel label={t`Details`}>
      <div ref={panelRef} tabIndex={-1} className="col grow">
        {children ? (
          children
        ) : id === undefined ? (
          <EmptyState title={t`Nothing selected`}>{t`Select an item to see its prompt, cost and history.`}</EmptyState>
        ) : asset ? (
          <AssetDetails asset={asset} />
        ) : (
          <Reading of={{}} media />
        )}
      </div>
    </Panel>
  );
}

function AssetDetails({ asset }: { asset: Asset }) {
  const job = useWholeJob(asset.jobId);
  const prompt = job && promptOf(job.request);
  const copyPrompt = prompt && !job.requestCut && (
    <TextAction onClick={() => void copyText(prompt)}>{t`Copy`}</TextAction>
  );
  return (
    <>
      <Player asset={asset} />
      <div className="bar">
        <h2 className="cut" title={asset.name}>
          <AssetName asset={asset} />
        </h2>
      </div>
      {job && <VerdictBar job={job} />}
      <div className="scroll">
        <StorageSection key={asset.id} asset={asset} />
        {prompt && (
          <Section title={t`Prompt`} end={copyPrompt}>
            <p className={styles.prompt}>{prompt}</p>
          </Section>
        )}
        <Found asset={asset} />
        <Elsewhere elsewhere={asset.elsewhere} />
        <Facts asset={asset} job={job} />
        <Ancestry asset={asset} />
      </div>
      <AssetActions asset={asset} job={job} />
    </>
  );
}

function VerdictBar({ job }: { job: Job }) {
  const judge = async (verdict: Verdict) => {
    const next = job.verdict === verdict ? undefined : verdict;
    if (!(await saveVerdict(job.id, next))) return;
    announce(next === undefined ? NOT_JUDGED : VERDICT_WORDS[next]);
  };
  return (
    <div className={`rating row pad bottom-line ${styles.verdicts}`}>
      <span className="lab">{t`Rating`}</span>
      <RatingChoice
        aria-label={t`Rating`}
        full
        value={job.verdict ?? null}
        onValue={(verdict) => void judge(verdict)}
      />
    </div>
  );
}

function seedWords(job: Job | undefined): ReactNode {
  const seed = job && sentSeedOf(job);
  if (job && isSeedUnsent(job)) return UNSENT_SEED;
  return seed !== undefined && <span className="mono">{seed}</span>;
}

function Facts({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const picture = asset.width > 0 ? `${asset.width} × ${asset.height}` : undefined;
  const length = asset.seconds === undefined ? undefined : formatSeconds(asset.seconds);
  // The charge is that of the whole job; its results share it.
  const several = job?.outputs.length ?? 0;
  const cost = job && (
    <PriceTag nano={job.money.chargedNano} lowNano={job.money.chargedLowNano} as="most" unpriced={job.money.unpriced} />
  );
  return (
    <Section title={t`Info`}>
      <KeyValue
        items={[
          asset.state === 'local' && [t`Storage`, <StorageGlyph key="storage" storage={asset} />],
          [t`Checksum`, asset.sha256 && <Checksum sha256={asset.sha256} />],
          [
            t`At the gateway`,
            asset.state === 'local' && asset.expiresAt !== undefined && t`Until ${formatStamp(asset.expiresAt)}`,
          ],
          [t`Model`, asset.model],
          [
            asset.width > 0 || asset.seconds === undefined ? t`Picture` : t`Length`,
            [picture, length].filter(Boolean).join(', '),
          ],
          [t`File`, [asset.mime, asset.bytes > 0 && formatBytes(asset.bytes)].filter(Boolean).join(', ')],
          [t`Seed`, seedWords(job)],
          [t`Differs from request`, wordsOfDifferences(asset.differs)],
          [several > 1 ? t`Cost of all ${several}` : t`Cost`, cost],
          [t`Gateway stated`, job?.money.statedAs && t`${job.money.statedAs}, by ${job.money.statedBy}`],
          [t`Charged`, job?.money.note],
          [t`Made`, formatStamp(asset.createdAt)],
          [t`Job`, asset.jobId !== undefined && <JobLinks key="job" jobId={asset.jobId} />],
        ]}
      />
    </Section>
  );
}

const JobLinks = ({ jobId }: { jobId: string }) => (
  <span className="row">
    <TextAction onClick={() => navigate('queue', { job: jobId })}>{t`Open in Queue`}</TextAction>
    <a className="lnk" href={evidenceOfJob(jobId)}>
      {t`Job record`}
    </a>
  </span>
);

function Checksum({ sha256 }: { sha256: string }) {
  return <span className="mono cut">{`sha256 ${sha256.slice(0, 8)}…${sha256.slice(-4)}`}</span>;
}

function AssetActions({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const isLocal = asset.state === 'local';
  return (
    <div className="sendbar">
      {isLocal && displayedAs(asset.mime) === 'image' && (
        <div className="row">
          <Button className="grow" onClick={() => navigate('images', { asset: asset.id })}>
            {t`Open in Images`}
          </Button>
          <Button className="grow" onClick={() => navigate('storyboard', { frame: asset.id })}>
            {t`Use as frame`}
          </Button>
        </div>
      )}
      {job && isMadeAgain(job) && <Remake asset={asset} />}
      <div className="row">
        <SaveLink
          className="grow"
          href={downloadUrl(asset.id)}
          name={safeName(asset.name)}
          off={isLocal ? undefined : t`The file is not on this computer.`}
        >
          {t`Save a copy`}
        </SaveLink>
        <CopyMenu asset={asset} job={job} />
      </div>
    </div>
  );
}

function CopyMenu({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const copyId = () => void copyText(asset.id);
  const copyJson = () => void copyText(JSON.stringify(bareAddressesIn(job ? { asset, job } : asset), null, 2));
  const hint = useShortcut('library.copyId', copyId);
  const trigger = (
    <Button className="grow">
      {t`Copy`}
      <Icon of={ChevronDown} />
    </Button>
  );
  return (
    <Menu
      label={t`Copy`}
      trigger={trigger}
      items={[
        { id: 'id', label: t`Id`, kbd: hint, onSelect: copyId },
        { id: 'json', label: 'JSON', onSelect: copyJson },
        ...(job ? [{ id: 'curl', label: 'curl', onSelect: () => void copyJobAsCurl(job) }] : []),
      ]}
    />
  );
}

/** The cost in an imported file's sidecar: unverified history, which no total includes. */
function Elsewhere({ elsewhere }: Pick<Asset, 'elsewhere'>) {
  if (!elsewhere) return null;
  const { madeAt, costNano, play, project } = elsewhere;
  const cost = costNano !== undefined && (
    <>
      <PriceTag nano={costNano} /> {play && <MoneyPlate play />}
    </>
  );
  return (
    <Section title={t`Made elsewhere`} end={<span className="t3">{t`Not verified`}</span>}>
      <KeyValue
        items={[
          madeAt !== undefined && [t`Made`, formatStamp(madeAt)],
          [t`Cost`, cost],
          [t`Project`, project && safeName(project)],
        ]}
      />
    </Section>
  );
}

/** Results of Images or the board are made again there. */
const isMadeAgain = (job: Job): boolean => ['images', 'storyboard'].includes(kindOf(job).gallery ?? '');

/**
 * Opens the page where it was made, with its prompt and settings; nothing is sent. Recall makes the same again; a remix continues from the
 * result: a picture is edited, a clip is extended.
 */
function Remake({ asset }: { asset: Asset }) {
  const isClip = asset.mime.startsWith('video/');
  const recall = () => (isClip ? navigate('storyboard', { add: asset.id }) : navigate('images', { remake: asset.id }));
  const remix = () => (isClip ? navigate('storyboard', { remix: asset.id }) : navigate('images', { remix: asset.id }));
  const off = asset.state === 'local' ? undefined : t`The file is not on this computer.`;
  const remixHint = useShortcut('library.remix', remix, off === undefined);
  return (
    <div className="row">
      <ActionButton className="grow" action="library.recall" onDo={recall}>
        {t`Reuse prompt`}
      </ActionButton>
      <Button className="grow" kbd={remixHint} off={off} title={off ?? (isClip ? t`Extend` : t`Edit`)} onClick={remix}>
        {t`Remix`}
      </Button>
    </div>
  );
}

/** For a file that is not on this disk: where it is, for how long, why it was not downloaded, and a button to download it now. */
function StorageSection({ asset }: { asset: Asset }) {
  if (asset.state === 'local') return null;
  return (
    <Section title={t`Storage`} end={<StorageGlyph storage={asset} />}>
      <div className="col gap-s">
        <p className="t2">{storageSentence(asset, Date.now())}</p>
        {asset.fault && asset.state !== 'expired' && <p className="t2">{asset.fault}</p>}
        <DownloadNow asset={asset} />
      </div>
    </Section>
  );
}

export function storageSentence({ state, deleted, expiresAt, expiryAssumed, fault }: Asset, now: number): string {
  if (deleted) return t`Deleted for good. Its history and cost are kept.`;
  if (state === 'expired') return fault ?? t`The link has ended.`;
  if (expiresAt === undefined) return t`Only at the gateway, no expiry stated.`;
  const until = formatStamp(expiresAt);
  if (expiresAt <= now) return t`The gateway’s link ended ${until}. The download may still work.`;
  return expiryAssumed ? t`Only at the gateway, probably until ${until}.` : t`Only at the gateway, until ${until}.`;
}
