import { Layers } from 'lucide-react';
import type { Asset } from '../../../../shared/asset.ts';
import { t } from '../../../../shared/texts.ts';
import { announce, cacheAssets } from '../../../app/index.ts';
import { MAX_FEATHER } from '../../../canvas/index.ts';
import { uploadMedia } from '../../../client/index.ts';
import { useSpend } from '../../../spending/index.ts';
import { Button, Field, Icon, NumberInput, Segmented } from '../../../ui/index.ts';
import type { EditFacts } from '../model/gallery.ts';
import { lateOpening, useImages } from '../useImages.ts';
import { restored } from '../useProof.ts';
import styles from './panels.module.css';

const EDGES = ['0', '2', '4', '8'];

const setFeather = (feather: number): void =>
  useImages.setState({ feather: Math.min(MAX_FEATHER, Math.max(0, Math.round(feather))) });

/** Writes a new picture: the edit inside the mask, the original outside. Nothing is sent. */
export function PutBack({ edit, after }: { edit: EditFacts; after: Asset }) {
  const feather = useImages((state) => state.feather);
  const { send, isBusy, error } = useSpend(async () => {
    const said = t`The new picture is in Library`;
    const open = lateOpening(said);
    const file = await restored(edit, after, feather).catch(() => undefined);
    if (!file) return t`The pictures have different sizes.`;
    const name = t`${after.name.replace(/\.\w+$/, '')}, original restored.png`;
    const answer = await uploadMedia(file, name, { role: 'source', parent: after.id });
    if (!answer.ok) return answer.error.message;
    cacheAssets([answer.data]);
    announce(said);
    open(answer.data.id);
    return undefined;
  });
  return (
    <div className={`col ${styles.backOutside}`}>
      <h3 className="lab">{t`Restore original outside mask`}</h3>
      <p className="t2">{t`Makes a new picture: the edit inside the mask, the original outside. Free.`}</p>
      <Edge feather={feather} />
      <p className="t3">
        {t`The edge blends inside the mask only. Outside, every pixel is the original’s (8 bits a colour). If the colour profiles differ, both become sRGB.`}
      </p>
      <Button className={styles.putBack} busy={isBusy} onClick={() => void send()}>
        <Icon of={Layers} />
        {t`Restore original outside mask`}
      </Button>
      {error && <p className="t2">{error}</p>}
    </div>
  );
}

function Edge({ feather }: { feather: number }) {
  return (
    <div className={`row ${styles.edge}`}>
      <Segmented
        small
        aria-label={t`Edge, pixels inside`}
        value={EDGES.find((value) => value === String(feather)) ?? ''}
        onValue={(value) => setFeather(Number(value))}
        options={EDGES.map((value) => ({ value, label: value === '0' ? t`Hard` : value }))}
      />
      <Field label={t`Feather`}>
        <NumberInput value={feather} min={0} max={MAX_FEATHER} unit="px" onValue={(value) => setFeather(value ?? 0)} />
      </Field>
    </div>
  );
}
