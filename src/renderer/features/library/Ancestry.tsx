import type { AncestryStep } from '../../../shared/library/ancestry.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { safeName } from '../../../shared/text/safeText.ts';
import { t } from '../../../shared/text/texts.ts';
import { navigate, useCall } from '../../app/index.ts';
import { AssetName } from '../../media/AssetName.tsx';
import { Section, TextAction, Thumb } from '../../ui/index.ts';
import styles from './library.module.css';

type Way = 'from' | 'made';

/** The role of a relation in each direction: a clip was made from its first frame, and a picture was used as the first frame of a clip. */
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

/** Both directions: the sources, nearest first and each with its own sources, and everything made from the asset. */
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
  // Steps lead away from the asset, so that no list returns to its start.
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
        <span className="cut mono">{uri === undefined ? t`Not in the library` : safeName(uri)}</span>
      )}
      <span className="grow" />
      <span className="t3 nw">{words}</span>
    </span>
  );
}
