import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { allPricings, pricingOf } from '../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../shared/kinds/pricings.ts';
import type { ProfileModel } from '../../../shared/profile.ts';
import { t } from '../../../shared/texts.ts';
import { Button, Checkbox, Icon, IconButton, Select, TableHead, TextInput } from '../../ui/index.ts';
import type { FormPart } from './form.tsx';
import styles from './settings.module.css';

const kindOptions = (): { value: PriceKind; label: string }[] =>
  allPricings().map(({ name, title }) => ({ value: name as PriceKind, label: title }));

/** The models that pages offer; a model not listed here cannot be chosen there. */
export function Models({ draft, change, faults, off }: FormPart) {
  const { models } = draft;
  const replace = (index: number, model: ProfileModel) =>
    change({ models: models.map((old, at) => (at === index ? model : old)) });
  return (
    <div className="col gap">
      <table className={`tbl ${styles.modelList}`}>
        <TableHead heads={[t`Model id`, t`For`, t`Label`, t`Preview`, [t`Remove`, 'vh']]} />
        <tbody>
          {models.map((model, index) => (
            <tr key={model.id}>
              <td className="mono">{model.id}</td>
              <td>{pricingOf(model.kind).title}</td>
              <td className="t2">{model.label}</td>
              <td>
                {pricingOf(model.kind).hasPreviews && (
                  <Checkbox
                    checked={model.preview ?? false}
                    disabled={off}
                    onChecked={(preview) => replace(index, { ...model, preview })}
                  >
                    <span className="vh">{t`${model.id} is a preview model`}</span>
                  </Checkbox>
                )}
              </td>
              <td className="r">
                {!off && (
                  <IconButton
                    label={t`Remove ${model.id}`}
                    onClick={() => change({ models: models.filter((_, at) => at !== index) })}
                  >
                    <Icon of={X} />
                  </IconButton>
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {faults.models && <p className="err">{faults.models}</p>}
      {!off && <AddModel known={models} onAdd={(model) => change({ models: [...models, model] })} />}
    </div>
  );
}

function AddModel({ known, onAdd }: { known: readonly ProfileModel[]; onAdd: (model: ProfileModel) => void }) {
  const [id, setId] = useState('');
  const [kind, setKind] = useState<PriceKind>(PRICINGS.video.name);
  const taken = known.some((model) => model.id === id.trim());
  const off =
    id.trim() === '' ? t`Write the id of the model first.` : taken ? t`That model is listed already.` : undefined;
  const add = () => {
    if (off) return;
    onAdd({ id: id.trim(), kind });
    setId('');
  };
  return (
    <div className="row">
      <TextInput
        mono
        aria-label={t`Id of the model to add`}
        placeholder={t`id of another model`}
        value={id}
        onValue={setId}
        onKeyDown={(event) => event.key === 'Enter' && add()}
      />
      <span className={styles.addKind}>
        <Select aria-label={t`What it is for`} options={kindOptions()} value={kind} onValue={setKind} />
      </span>
      <Button onClick={add} off={off}>
        <Icon of={Plus} />
        {t`Add`}
      </Button>
    </div>
  );
}
