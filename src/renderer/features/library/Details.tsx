import type { ReactNode, RefObject } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { bareAddressesIn } from '../../../shared/bareAddress.ts';
import { wordsOfDifferences } from '../../../shared/difference.ts';
import { type Job, VERDICTS, type Verdict } from '../../../shared/job.ts';
import { promptOf } from '../../../shared/kinds/index.ts';
import { displayedAs } from '../../../shared/mediaFormats.ts';
import { isSeedUnsent, sentSeedOf, UNSENT_SEED } from '../../../shared/sentSeed.ts';
import { shownName } from '../../../shared/shownName.ts';
import { t } from '../../../shared/texts.ts';
import {
  ActionButton,
  announce,
  copyJobAsCurl,
  copyText,
  evidenceOfJob,
  navigate,
  saveVerdict,
  useAsset,
  useShortcut,
  useWholeJob,
} from '../../app/index.ts';
import { downloadUrl } from '../../client/index.ts';
import {
  Button,
  EmptyState,
  formatBytes,
  formatClockSeconds,
  formatSeconds,
  formatStamp,
  Kbd,
  KeyValue,
  Panel,
  PriceTag,
  plural,
  Reading,
  SaveLink,
  Section,
  Segmented,
  StorageGlyph,
  TextAction,
} from '../../ui/index.ts';
import { NOT_JUDGED, outcomeWords, VERDICT_WORDS } from '../../words/index.ts';
import { Ancestry } from './Ancestry.tsx';
import { AssetName } from './AssetName.tsx';
import { Elsewhere } from './Elsewhere.tsx';
import { Found } from './Found.tsx';
import styles from './library.module.css';
import { Player } from './Player.tsx';
import { isMadeAgain, Remake } from './Remake.tsx';
import { StorageSection } from './StorageState.tsx';
import { WhyHere } from './Why.tsx';

interface DetailsProps {
  id: string | undefined;
  panelRef: RefObject<HTMLDivElement | null>;
  /** Instead of one asset's life, where many are chosen. */
  children?: ReactNode;
}

/** One asset's whole life: the picture, the verdict, what it is, what it cost, what it was made from. */
export function Details({ id, panelRef, children }: DetailsProps) {
  const asset = useAsset(id);
  return (
    <Panel label={t`Details`} className={styles.details}>
      <div ref={panelRef} tabIndex={-1} className="col grow">
        {children ? (
          children
        ) : id === undefined ? (
          <EmptyState title={t`Nothing is selected`}>
            {t`Choose a picture to see its whole life: prompt, cost, attempts.`}
          </EmptyState>
        ) : asset ? (
          <AssetDetails asset={asset} />
        ) : (
          <Reading of={{}} media label={t`Reading the details`} />
        )}
      </div>
    </Panel>
  );
}

function AssetDetails({ asset }: { asset: Asset }) {
  const job = useWholeJob(asset.jobId);
  const prompt = job && promptOf(job.request);
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
          <Section title={t`Prompt`} end={!job.requestCut && <CopyAction what={t`prompt`} text={prompt} />}>
            <p className={styles.prompt}>{prompt}</p>
          </Section>
        )}
        <Found asset={asset} />
        <Elsewhere elsewhere={asset.elsewhere} />
        <WhyHere asset={asset} />
        <Facts asset={asset} job={job} />
        {job && job.attempts.length > 0 && <Attempts job={job} />}
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
    announce(next === undefined ? NOT_JUDGED : VERDICT_WORDS[next].label);
  };
  const hints = {
    keep: useShortcut('verdict.keep', () => void judge('keep')),
    maybe: useShortcut('verdict.maybe', () => void judge('maybe')),
    no: useShortcut('verdict.no', () => void judge('no')),
  };
  const options = VERDICTS.map((value) => ({
    value,
    name: VERDICT_WORDS[value].label,
    label: (
      <>
        {VERDICT_WORDS[value].label} <Kbd>{hints[value]}</Kbd>
      </>
    ),
  }));
  return (
    <div className={styles.verdicts}>
      <span className="lab">{t`Verdict`}</span>
      <Segmented
        aria-label={t`Verdict`}
        full
        options={options}
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
    <PriceTag
      nano={job.money.chargedNano}
      lowNano={job.money.chargedLowNano}
      as="most"
      unpriced={job.money.unpriced ? 1 : 0}
    />
  );
  return (
    <Section title={t`Facts`}>
      <KeyValue
        items={[
          asset.state === 'local' && [t`Custody`, <StorageGlyph key="storage" storage={asset} />],
          [t`Checksum`, asset.sha256 && <Checksum sha256={asset.sha256} />],
          [
            t`At gateway`,
            asset.state === 'local' && asset.expiresAt !== undefined && t`until ${formatStamp(asset.expiresAt)}`,
          ],
          [t`Model`, asset.model],
          [
            asset.width > 0 || asset.seconds === undefined ? t`Picture` : t`Length`,
            [picture, length].filter(Boolean).join(', '),
          ],
          [t`File`, [asset.mime, asset.bytes > 0 && formatBytes(asset.bytes)].filter(Boolean).join(', ')],
          [t`Seed`, seedWords(job)],
          [t`Not as requested`, wordsOfDifferences(asset.differs)],
          [several > 1 ? t`Cost of all ${several}` : t`Cost`, cost],
          [t`Stated`, job?.money.statedAs && t`${job.money.statedAs}, by ${job.money.statedBy}`],
          [t`Charged`, job?.money.note],
          [t`Made`, formatStamp(asset.createdAt)],
        ]}
      />
    </Section>
  );
}

function Checksum({ sha256 }: { sha256: string }) {
  return (
    <span className="mono cut" title={t`sha256 ${sha256}`}>
      {t`sha256 ${sha256.slice(0, 4)} ${sha256.slice(4, 8)} … ${sha256.slice(-4)}`}
    </span>
  );
}

function Attempts({ job }: { job: Job }) {
  return (
    <Section
      title={t`Attempts`}
      end={
        <span className="row">
          <span className="t3">{plural(job.attempts.length, 'attempt')}</span>
          <a className="lnk" href={evidenceOfJob(job)}>
            {t`Evidence`}
          </a>
        </span>
      }
    >
      <ol className={styles.attempts}>
        {job.attempts.map((attempt) => (
          <li key={attempt.at} className="row">
            <span className="mono t3">{formatClockSeconds(attempt.at)}</span>
            <span className="nw">{outcomeWords(attempt)}</span>
            <span className="mono t3 cut grow r" title={attempt.requestId}>
              {attempt.requestId}
            </span>
          </li>
        ))}
      </ol>
    </Section>
  );
}

function CopyAction({ what, text }: { what: string; text: string }): ReactNode {
  return <TextAction onClick={() => void copyText(text, what)}>{t`Copy`}</TextAction>;
}

function AssetActions({ asset, job }: { asset: Asset; job: Job | undefined }) {
  const copyId = () => void copyText(asset.id, t`id`);
  return (
    <div className="sendbar">
      {asset.state === 'local' && displayedAs(asset.mime) === 'image' && (
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
        {job && (
          <Button className="grow" onClick={() => navigate('queue', { job: job.id })}>
            {t`Show its job`}
          </Button>
        )}
        <SaveLink
          className="grow"
          href={downloadUrl(asset.id)}
          name={shownName(asset.name)}
          off={asset.state === 'local' ? undefined : t`The file is not on this disk.`}
        >
          {t`Save a copy`}
        </SaveLink>
      </div>
      <div className="row">
        <ActionButton className="grow" action="library.copyId" onDo={copyId}>
          {t`Copy id`}
        </ActionButton>
        <Button
          className="grow"
          onClick={() =>
            void copyText(JSON.stringify(bareAddressesIn(job ? { asset, job } : asset), null, 2), t`facts as JSON`)
          }
        >
          {t`Copy JSON`}
        </Button>
        {job && (
          <Button className="grow" onClick={() => void copyJobAsCurl(job)}>
            {t`Copy as curl`}
          </Button>
        )}
      </div>
    </div>
  );
}
