import { useMemo, useState } from 'react';
import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { isSettled, openInterpretations, priceFor } from '../../../shared/money/price.ts';
import { t } from '../../../shared/text/texts.ts';
import { hashOf, useActiveProfile, useCall } from '../../app/index.ts';
import { SetPrice, wordsOfReading } from '../../spending/index.ts';
import {
  Button,
  formatCount,
  Panel,
  Radios,
  Section,
  Segmented,
  TextAction,
  TextArea,
  WhyOff,
} from '../../ui/index.ts';
import { BranchCosts, BranchMap, useBranches } from './BranchMap.tsx';
import styles from './chat.module.css';
import { type ChatSettings, useChatSettings, useCounted, useTokens } from './sending.ts';
import { setDraft } from './state.ts';

const TABS = [
  { value: 'settings', label: t`Settings` },
  { value: 'branches', label: t`Branches` },
] as const;

export function Inspector() {
  const settings = useChatSettings();
  const [tab, setTab] = useState<'settings' | 'branches'>('settings');
  return (
    <Panel label={t`Conversation`}>
      <div className="bar">
        <h2>{t`Conversation`}</h2>
        <span className="grow" />
        <Segmented aria-label={t`Conversation`} small options={TABS} value={tab} onValue={setTab} />
      </div>
      <div className="scroll">
        {tab === 'branches' ? (
          <BranchMap />
        ) : (
          <>
            <ModelChoice settings={settings} />
            <ContextMeter settings={settings} />
            <ConversationCost />
            <ModelPrice model={settings.model} />
            <SystemPrompt key={settings.key} settings={settings} />
          </>
        )}
      </div>
    </Panel>
  );
}

function ModelChoice({ settings: { key, model } }: { settings: ChatSettings }) {
  const profile = useActiveProfile();
  const options = modelsFor(KINDS.chat, profile?.models).map(({ id, label }) => ({
    value: id,
    label: id,
    note: label,
  }));
  return (
    <Section title={t`Model`}>
      {options.length === 0 ? (
        <WhyOff>{t`This gateway lists no chat model. Add one in Settings.`}</WhyOff>
      ) : (
        <Radios
          aria-label={t`Model`}
          mono
          tall
          options={options}
          value={model}
          onValue={(next) => setDraft(key, { model: next })}
        />
      )}
    </Section>
  );
}

function ContextMeter({ settings }: { settings: ChatSettings }) {
  const { system, thread, message, limit } = useTokens(settings);
  const used = system + thread + message;
  const hasMade = useCounted().some(({ role, pictures }) => role === 'assistant' && pictures);
  const share = (part: number) => `${limit > 0 ? Math.min(100, (part / limit) * 100) : 0}%`;
  const end = (
    <span className="nums">
      {formatCount(used)} <span className="t3">{t`of ${formatCount(limit)}`}</span>
    </span>
  );
  return (
    <Section title={t`Context`} end={end}>
      <div className="meter" aria-hidden="true">
        <i className={styles.mSystem} style={{ width: share(system) }} />
        <i className={styles.mThread} style={{ width: share(thread + message) }} />
      </div>
      <div className="row between t3 nums mt mb">
        <span>{t`System ${formatCount(system)}`}</span>
        <span>{t`Thread ${formatCount(thread + message)}`}</span>
        <span>{t`Free ${formatCount(Math.max(0, limit - used))}`}</span>
      </div>
      {hasMade && <WhyOff>{t`Pictures of answers are not sent again. Attach those the model should see.`}</WhyOff>}
    </Section>
  );
}

/**
 * The recorded cost of this chat, independent of the model chosen for the next message. Imported messages were paid for elsewhere and are
 * left out.
 */
function ConversationCost() {
  const messages = useCounted();
  const branches = useBranches();
  const used = useMemo(() => {
    const usages = messages.flatMap(({ usage, jobId }) => (jobId === undefined ? [] : (usage ?? [])));
    return {
      input: usages.reduce((sum, { promptTokens = 0 }) => sum + promptTokens, 0),
      output: usages.reduce((sum, { completionTokens = 0 }) => sum + completionTokens, 0),
    };
  }, [messages]);
  const tokens = used.input + used.output;
  const { chargedNano = 0, uncertainNano = 0, unpriced = 0 } = branches?.way ?? {};
  if (!branches || tokens + chargedNano + uncertainNano + unpriced === 0) return null;
  const end = tokens > 0 && (
    <span className="t3 nums">{t`${formatCount(used.input)} in, ${formatCount(used.output)} out`}</span>
  );
  return (
    <Section title={t`Cost so far`} end={end}>
      <BranchCosts branches={branches} />
    </Section>
  );
}

function ModelPrice({ model }: { model: string }) {
  const { data } = useCall('prices.list', {}, { on: ['profiles.changed'] });
  const profile = useActiveProfile();
  const price = data && priceFor(data.prices, KINDS.chat.pricing.name, model);
  if (!price) return null;
  const end = <span className="t3">{t`$ per million tokens`}</span>;
  return (
    <Section title={t`Price`} end={end}>
      {openInterpretations(price).map((reading) => (
        <p key={JSON.stringify(reading)} className="nums">
          {wordsOfReading(reading)}
        </p>
      ))}
      <div className="row">
        {!isSettled(price) && (
          <a
            className="lnk"
            href={hashOf('spend', profile ? { profile: profile.id } : {})}
          >{t`Choose price in Spend`}</a>
        )}
        <SetPrice kind={KINDS.chat.pricing.name} model={model} />
      </div>
    </Section>
  );
}

function SystemPrompt({ settings: { key, system } }: { settings: ChatSettings }) {
  const [editing, setEditing] = useState(false);
  const end = !editing && <TextAction onClick={() => setEditing(true)}>{t`Edit`}</TextAction>;
  return (
    <Section title={t`System prompt`} end={end || <span />}>
      {editing ? (
        <div className="col gap">
          <TextArea
            aria-label={t`System prompt`}
            autoFocus
            rows={6}
            value={system}
            onValue={(next) => setDraft(key, { system: next })}
          />
          <div className="row end">
            <Button onClick={() => setEditing(false)}>{t`Done`}</Button>
          </div>
        </div>
      ) : (
        <p className={`t2 ${styles.system}`}>{system === '' ? t`No system prompt` : system}</p>
      )}
    </Section>
  );
}
