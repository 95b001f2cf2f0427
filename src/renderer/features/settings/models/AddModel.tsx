import { useState } from 'react';
import { allPricings } from '../../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../../shared/kinds/pricings.ts';
import type { ProfileView } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import { announce, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Dialog, DialogActions, Field, Refusal, Select, TextInput } from '../../../ui/index.ts';

interface AddModelProps {
  profile: ProfileView;
  /** Ids of the service's list that the profile does not have. */
  others: readonly string[];
  onClose: () => void;
}

/** Enters a model by hand; the ids of the service's list are offered. */
export function AddModel({ profile, others, onClose }: AddModelProps) {
  const [id, setId] = useState('');
  const [kind, setKind] = useState<PriceKind>(PRICINGS.video.name);
  const { refusal, run } = useAction();
  const known = profile.models.some((model) => model.id === id.trim());
  const off =
    id.trim() === '' ? t`Write the id of the model first.` : known ? t`That model is listed already.` : undefined;
  const add = async () => {
    if (off) return;
    const models = [...profile.models, { id: id.trim(), kind }];
    const saved = await run(call('profiles.save', { id: profile.id, models }));
    if (!saved.ok) return;
    announce(t`${id.trim()} is added`);
    onClose();
  };
  const footer = (
    <DialogActions onClose={onClose} off={off} onClick={() => void add()}>
      {t`Add the model`}
    </DialogActions>
  );
  return (
    <Dialog open onClose={onClose} title={t`A model of ${profile.name}`} footer={footer} width={420}>
      <div className="col gap">
        <Refusal text={refusal} />
        <Field
          label={t`Model id`}
          hint={others.length > 0 ? t`${others.length} of its list are not here yet` : undefined}
        >
          <TextInput
            mono
            list="listed-models"
            value={id}
            onValue={setId}
            onKeyDown={(event) => event.key === 'Enter' && void add()}
          />
        </Field>
        <datalist id="listed-models">
          {others.map((other) => (
            <option key={other} value={other} />
          ))}
        </datalist>
        <Field label={t`What it is for`}>
          <Select
            aria-label={t`What it is for`}
            options={allPricings().map(({ name, title }) => ({ value: name as PriceKind, label: title }))}
            value={kind}
            onValue={setKind}
          />
        </Field>
      </div>
    </Dialog>
  );
}
