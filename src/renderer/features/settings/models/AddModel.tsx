import { useState } from 'react';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { allPricings } from '../../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../../shared/kinds/pricings.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Dialog, DialogActions, Field, Refusal, Select, TextInput } from '../../../ui/index.ts';

interface AddModelProps {
  profile: ProfileView;
  /** Model ids from the gateway's list that are not in the profile. */
  others: readonly string[];
  onClose: () => void;
}

/** Adds a model by hand; ids from the gateway's list are suggested. */
export function AddModel({ profile, others, onClose }: AddModelProps) {
  const [id, setId] = useState('');
  const [kind, setKind] = useState<PriceKind>(PRICINGS.video.name);
  const { refusal, run } = useAction();
  const known = profile.models.some((model) => model.id === id.trim());
  const off = id.trim() === '' ? t`Enter the model id first.` : known ? t`This model is already listed.` : undefined;
  const add = async () => {
    if (off) return;
    const models = [...profile.models, { id: id.trim(), kind }];
    if ((await run(call('profiles.save', { id: profile.id, models }))).ok) onClose();
  };
  const footer = (
    <DialogActions onClose={onClose} off={off} onClick={() => void add()}>
      {t`Add model`}
    </DialogActions>
  );
  return (
    <Dialog open onClose={onClose} title={t`Add model`} footer={footer} width={420}>
      <div className="col gap">
        <Refusal text={refusal} />
        <Field label={t`Model id`}>
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
        <Field label={t`Makes`}>
          <Select
            aria-label={t`Makes`}
            options={allPricings().map(({ name, title }) => ({ value: name as PriceKind, label: title }))}
            value={kind}
            onValue={setKind}
          />
        </Field>
      </div>
    </Dialog>
  );
}
