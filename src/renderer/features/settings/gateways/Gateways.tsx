import { Ellipsis, KeyRound, Plus } from 'lucide-react';
import { type ComponentType, useState } from 'react';
import type { ProfileView } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import { ActionButton, MoneyPlate, navigate, useAction, useRoute, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import {
  Button,
  CheckGlyph,
  Confirm,
  Icon,
  IconButton,
  Menu,
  Panel,
  Reading,
  Refusal,
  Tabs,
} from '../../../ui/index.ts';
import { useCheckedAt } from '../connect/checks.ts';
import { Advanced } from './Advanced.tsx';
import { Format } from './Format.tsx';
import styles from './gateways.module.css';
import { Models } from './Models.tsx';
import { Overview } from './Overview.tsx';
import { Limits } from './RequestLimits.tsx';
import { openGateway, type TabId, type TabProps } from './tabs.ts';
import { useCheck } from './useCheck.ts';
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
  if (!profile) return <Reading of={{}} label={t`Reading the gateways`} />;
  return (
    <>
      <Panel label={t`Gateways`} side="left">
        <div className="bar">
          <h2>{t`Gateways`}</h2>
        </div>
        <ul className={`scroll grow ${styles.list}`}>
          {profiles.map((one) => (
            <li key={one.id}>
              <Entry profile={one} isOpen={one.id === profile.id} isActive={one.id === activeId} />
            </li>
          ))}
        </ul>
        <div className={styles.add}>
          <Button onClick={() => navigate('settings', {}, 'connect')}>
            <Icon of={Plus} />
            {t`Connect a gateway…`}
          </Button>
        </div>
      </Panel>
      <Gateway key={profile.id} profile={profile} isActive={profile.id === activeId} />
    </>
  );
}

function Entry({ profile, isOpen, isActive }: { profile: ProfileView; isOpen: boolean; isActive: boolean }) {
  const checkedAt = useCheckedAt(profile);
  const inUse = isActive ? t`in use` : '';
  const state = profile.builtin
    ? t`Built in, on this computer`
    : profile.key === null
      ? t`Key needed`
      : checkedAt === undefined
        ? t`Not checked`
        : t`Connected`;
  return (
    <button type="button" aria-current={isOpen || undefined} onClick={() => openGateway(profile.id)}>
      <b className="cut">{profile.name}</b>
      <MoneyPlate profileId={profile.id} />
      <span className="t2 row">
        {!profile.builtin && profile.key === null && <Icon of={KeyRound} />}
        {checkedAt !== undefined && profile.key !== null && <CheckGlyph />}
        {[state, inUse].filter(Boolean).join(', ')}
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
      <div className={`bar ${styles.head}`}>
        <h2 className="cut">{profile.name}</h2>
        <span className="grow" />
        <Activation profile={profile} isActive={isActive} />
        <ActionButton
          action="settings.again"
          busy={handle.isBusy}
          onDo={() => {
            openGateway(profile.id);
            void handle.check();
          }}
        >
          {t`Check connection`}
        </ActionButton>
        <Removal profile={profile} isActive={isActive} />
      </div>
      <div className="bar">
        <Tabs
          aria-label={t`Parts of the gateway`}
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

function Activation({ profile, isActive }: { profile: ProfileView; isActive: boolean }) {
  const { refusal, run } = useAction();
  if (isActive) return <span className="t3">{t`In use`}</span>;
  return (
    <>
      <Refusal text={refusal} />
      <Button onClick={() => void run(call('profiles.activate', { id: profile.id }))}>{t`Use this gateway`}</Button>
    </>
  );
}

function Removal({ profile, isActive }: { profile: ProfileView; isActive: boolean }) {
  const [isAsking, setAsking] = useState(false);
  const { refusal, run } = useAction();
  if (profile.builtin) return null;
  const remove = async () => {
    setAsking(false);
    await run(call('profiles.remove', { id: profile.id }));
  };
  const trigger = (
    <IconButton label={t`More for ${profile.name}`}>
      <Icon of={Ellipsis} />
    </IconButton>
  );
  const item = {
    id: 'remove',
    label: t`Remove gateway`,
    danger: true,
    onSelect: () => setAsking(true),
    ...(isActive ? { off: t`Use another gateway first.` } : {}),
  };
  return (
    <>
      <Refusal text={refusal} />
      <Menu trigger={trigger} label={t`More for ${profile.name}`} items={[item]} />
      <Confirm
        open={isAsking}
        onClose={() => setAsking(false)}
        title={t`Remove ${profile.name}?`}
        actionLabel={t`Remove gateway`}
        onConfirm={() => void remove()}
      >
        {t`Its address, API format and key are forgotten. Jobs it made, their files and their costs stay.`}
      </Confirm>
    </>
  );
}
