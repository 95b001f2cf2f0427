import type { Asset } from '../../../shared/asset.ts';
import { shownName } from '../../../shared/shownName.ts';
import { t } from '../../../shared/texts.ts';
import { MoneyPlate } from '../../app/index.ts';
import { formatStamp, KeyValue, PriceTag, Section } from '../../ui/index.ts';

/** What the sidecar said of a file that was brought in: history, which no sum here counts and nobody verified. */
export function Elsewhere({ elsewhere }: Pick<Asset, 'elsewhere'>) {
  if (!elsewhere) return null;
  const { madeAt, costNano, play, project } = elsewhere;
  const cost = costNano !== undefined && (
    <>
      <PriceTag nano={costNano} /> {play && <MoneyPlate play />}
    </>
  );
  return (
    <Section title={t`Made elsewhere`} end={<span className="t3">{t`not verified`}</span>}>
      <KeyValue
        items={[
          madeAt !== undefined && [t`Made`, formatStamp(madeAt)],
          [t`Cost elsewhere`, cost],
          [t`Project`, project && shownName(project)],
        ]}
      />
    </Section>
  );
}
