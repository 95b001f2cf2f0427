import type { AncestryStep } from '../../../shared/library/ancestry.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { shownName } from '../../../shared/text/shownName.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, useCall } from '../../app/index.ts';
import { AssetName } from '../../media/AssetName.tsx';
import { Section, TextAction, Thumb } from '../../ui/index.ts';
import styles from './library.module.css';

type Way = 'from' | 'made';

/** What a thing is on each way: what it was made from was its first frame, and what was made of it has it as its first frame. */
const FIELD_WORDS: Partial<Record<string, Record<Way, string>>> = {
  image: { from: t`First frame`, made: t`First frame` },
  lastFrame: { from: t`Last frame`, made: t`Last frame` },
  video: { from: t`Extend`, made: t`Extend` },
  base: { from: t`Edit`, made: t`Edit` },
  mask: { from: t`Mask`, made: t`Mask` },
  parent: { from: t`Frame`, made: t`Frame` },
  putBack: { from: t`Edit with original restored`, made: t`Edit with original restored` },
};

function wordsOf(field: string, way: Way): string {
  const [name = '', index] = field.split('.');
  if (name === 'referenceImages') return way === 'made' ? t`Reference` : t`Reference ${Number(index ?? 0) + 1}`;
  return FIELD_WORDS[name]?.[way] ?? (way === 'made' ? t`Made from it` : t`Made from`);
}

/** Both ways: what it was made from, nearest first and each with its own origins under it, and what was made from it. */
export function Ancestry({ asset }: { asset: Asset }) {
  const { data } = useCall('library.ancestry', { id: asset.id }, { on: ['asset.changed'] });
  if (!data) return null;
  const more = (way: Way) => data.cut?.includes(way) && <span className="t3">{t`And more`}</span>;
  return (
    <>
      {data.from.length > 0 && (
        <Section title={t`Made from`} end={more('from')}>
          <Steps steps={data.from} of={asset.id} way="from" />
        </Section>
      )}
      {data.made.length > 0 && (
        <Section title={t`Made from it`} end={more('made')}>
          <Steps steps={data.made} of={asset.id} way="made" />
        </Section>
      )}
    </>
  );
}

const keyOf = ({ field, asset, assetId, jobId, uri }: AncestryStep): string =>
  `${field} ${asset?.id ?? assetId ?? jobId ?? uri}`;

function Steps({ steps, of, way }: { steps: readonly AncestryStep[]; of: string; way: Way }) {
  const own = steps.filter((step) => step.of === of);
  // A step leads away from the asset that was asked about: no list comes back to where it began.
  const rest = steps.filter((step) => step.of !== of);
  if (own.length === 0) return null;
  return (
    <ul className={styles.anc}>
      {own.map((step) => (
        <li key={keyOf(step)}>
          <StepLine step={step} words={wordsOf(step.field, way)} />
          {step.asset && <Steps steps={rest} of={step.asset.id} way={way} />}
        </li>
      ))}
    </ul>
  );
}

function StepLine({ step: { asset, jobId, uri }, words }: { step: AncestryStep; words: string }) {
  return (
    <span className="row">
      {asset && <Thumb asset={asset} small />}
      {asset ? (
        <TextAction className="cut" onClick={() => navigate('library', { asset: asset.id })}>
          <AssetName asset={asset} />
        </TextAction>
      ) : jobId !== undefined ? (
        <TextAction className="cut" onClick={() => navigate('queue', { job: jobId })}>
          {t`Not in the library`}
        </TextAction>
      ) : (
        <span className="cut mono">{uri === undefined ? t`Not in the library` : shownName(uri)}</span>
      )}
      <span className="grow" />
      <span className="t3 nw">{words}</span>
    </span>
  );
}
