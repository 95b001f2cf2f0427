import { KeyRound, Plus } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { LIMITS, type LimitDescription, type LimitName } from '../../../../shared/gateway/profileLimits.ts';
import { t } from '../../../../shared/text/texts.ts';
import { ActionButton, MoneyPlate, navigate, useAction, useRoute, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  Button,
  CheckGlyph,
  Confirm,
  Field,
  Icon,
  NumberInput,
  Panel,
  Reading,
  Refusal,
  Tabs,
} from '../../../ui/index.ts';
import { useCheckedAt } from '../connect/facts.ts';
import { Group } from '../form.tsx';
import { Models } from '../models/Models.tsx';
import { Advanced } from './Advanced.tsx';
import { Format } from './Format.tsx';
import styles from './gateways.module.css';
import { Overview } from './Overview.tsx';
import { type CheckHandle, openGateway, type TabId, type TabProps, useCheck } from './tabs.ts';
import { useFields } from './useFields.ts';

const TABS = [
  { value: 'overview', label: t`Overview`, Part: Overview },
  { value: 'models', label: t`Models and prices`, Part: Models },
  { value: 'format', label: t`API format`, Part: Format },
  { value: 'limits', label: t`Limits`, Part: Limits },
  { value: 'advanced', label: t`Advanced`, Part: Advanced },
] as const satisfies readonly { value: TabId; label: string; Part: ComponentType<TabProps> }[];

/** Gateways at the left, the page of one at the right. */
export function Gateways() {
  const profiles = useStudio((state) => state.profiles);
  const activeId = useStudio((state) => state.activeProfileId);
  const { params } = useRoute();
  const profile =
    profiles.find(({ id }) => id === params.get('profile')) ??
    profiles.find(({ id }) => id === activeId) ??
    profiles[0];
  if (!profile) return <Reading of={{}} />;
  return (
    <>
      <Panel label={t`Gateways`} side="left">
        <div className="bar">
          <h2>{t`Gateways`}</h2>
        </div>
        <ul className={`scroll grow lines ${styles.list}`}>
          {profiles.map((one) => (
            <li key={one.id}>
              <Entry profile={one} isOpen={one.id === profile.id} isActive={one.id === activeId} />
            </li>
          ))}
        </ul>
        <div className="stack pad">
          <Button onClick={() => navigate('settings', {}, 'connect')}>
            <Icon of={Plus} />
            {t`Connect a gateway`}
          </Button>
        </div>
      </Panel>
      <Gateway key={profile.id} profile={profile} isActive={profile.id === activeId} />
    </>
  );
}

function Entry({ profile, isOpen, isActive }: { profile: ProfileView; isOpen: boolean; isActive: boolean }) {
  const checkedAt = useCheckedAt(profile);
  const lacksKey = !profile.builtin && profile.key === null;
  const isConnected = checkedAt !== undefined && profile.key !== null;
  const state = lacksKey ? t`Key needed` : isConnected ? t`Connected` : t`Not checked`;
  return (
    <button type="button" aria-current={isOpen || undefined} onClick={() => openGateway(profile.id)}>
      <b className="cut">{profile.name}</b>
      <MoneyPlate profileId={profile.id} />
      <span className="t2 row">
        {lacksKey && <Icon of={KeyRound} />}
        {isConnected && <CheckGlyph />}
        <span className="grow">{profile.builtin ? t`Built in` : state}</span>
        {isActive && t`In use`}
      </span>
    </button>
  );
}

function Gateway({ profile, isActive }: { profile: ProfileView; isActive: boolean }) {
  const { params } = useRoute();
  const tab = TABS.find(({ value }) => value === params.get('tab')) ?? TABS[0];
  const handle = useCheck(profile);
  const { fields, handlers } = useFields(profile);
  return (
    <section className="col" aria-label={profile.name} data-panel tabIndex={-1} {...handlers}>
      <Head profile={profile} isActive={isActive} handle={handle} />
      <div className="bar">
        <Tabs
          aria-label={profile.name}
          items={TABS.map(({ value, label }) => ({ value, label }))}
          value={tab.value}
          onValue={(value) => openGateway(profile.id, value)}
        />
      </div>
      <div className={`scroll grow ${styles.page}`}>
        {fields.faults[''] && <p className="err">{fields.faults['']}</p>}
        <tab.Part fields={fields} handle={handle} />
      </div>
    </section>
  );
}

function Head({ profile, isActive, handle }: { profile: ProfileView; isActive: boolean; handle: CheckHandle }) {
  const { id, name, builtin } = profile;
  const [isAsking, setAsking] = useState(false);
  const { refusal, run } = useAction();
  const check = () => {
    openGateway(id);
    void handle.check();
  };
  const remove = () => {
    setAsking(false);
    void run(call('profiles.remove', { id }));
  };
  return (
    <div className={`bar ${styles.head}`}>
      <h2 className="cut">{name}</h2>
      <span className="grow" />
      <Refusal text={refusal} />
      {isActive ? (
        <span className="t3">{t`In use`}</span>
      ) : (
        <Button onClick={() => void run(call('profiles.activate', { id }))}>{t`Use this gateway`}</Button>
      )}
      <ActionButton action="settings.again" busy={handle.isBusy} onDo={check}>
        {t`Check connection`}
      </ActionButton>
      {!builtin && (
        <Button
          variant="ghost"
          off={isActive ? t`Use another gateway first.` : undefined}
          onClick={() => setAsking(true)}
        >
          {t`Remove gateway`}
        </Button>
      )}
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t`Remove ${name}?`}
        actionLabel={t`Remove gateway`}
        onConfirm={remove}
      >
        {t`Its address, API format and key are deleted. Jobs, files and costs stay.`}
      </Confirm>
    </div>
  );
}

const NAMES = Object.keys(LIMITS) as LimitName[];

function Limits({ fields: { draft, change, faults } }: TabProps) {
  return (
    <Group title={t`Limits`} text={t`Chat prices assume the output below. A longer answer costs more.`}>
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
}
