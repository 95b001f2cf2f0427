import { LIMITS, type LimitDescription, type LimitName } from '../../../../shared/profileLimits.ts';
import { t } from '../../../../shared/texts.ts';
import { Field, NumberInput } from '../../../ui/index.ts';
import { Group } from '../form.tsx';
import type { TabProps } from './tabs.ts';

const NAMES = Object.keys(LIMITS) as LimitName[];

export const Limits = ({ fields: { draft, change, faults } }: TabProps) => (
  <Group
    title={t`Limits`}
    text={t`Kept here, before anything is sent. Output is what a price counts with; a longer answer costs more.`}
  >
    <div className="g2">
      {NAMES.map((name) => {
        const { label, unit }: LimitDescription = LIMITS[name];
        return (
          <Field key={name} label={label} error={faults[`limits.${name}`]}>
            <NumberInput
              value={draft.limits[name]}
              onValue={(value) => change({ limits: { ...draft.limits, [name]: value } })}
              min={1}
              unit={unit}
            />
          </Field>
        );
      })}
    </div>
  </Group>
);
