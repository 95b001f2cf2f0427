import { useState } from 'react';
import type { ModelEntry } from '../../../../shared/modelCalls.ts';
import { FACT_NAMES, type FactName, MODEL_FACTS, type ModelFacts } from '../../../../shared/modelFacts.ts';
import { t } from '../../../../shared/texts.ts';
import { announce, useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Dialog, DialogActions, Field, Refusal, Segmented, TextInput } from '../../../ui/index.ts';
import styles from './models.module.css';
import { isAbout } from './words.ts';

interface FactsDialogProps {
  profileId: string;
  model: ModelEntry;
  onSaved: () => void;
  onClose: () => void;
}

/** The texts of the fields; an empty one is what the service states. */
type Texts = Partial<Record<FactName, string>>;

type Flag = (typeof FLAGS)[number];
const FLAGS = ['first', 'last', 'extend', 'sound', 'tools', 'pictures'] as const satisfies FactName[];
const isFlag = (name: FactName): boolean => (FLAGS as readonly string[]).includes(name);

/** Facts of a model by hand: what is set here stands over what the service states, and no reading of its list takes it away. */
export function FactsDialog({ profileId, model, onSaved, onClose }: FactsDialogProps) {
  const names = FACT_NAMES.filter((name) => isAbout(name, model));
  const [texts, setTexts] = useState<Texts>(() => textsOf(model, names));
  const { refusal, run } = useAction();
  const set = (name: FactName) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
  const read = names.map((name) => [name, setBy(name, texts[name] ?? '')] as const);
  const wrong = read.find(([, value]) => value === 'wrong')?.[0];
  const off = wrong && `${MODEL_FACTS[wrong].label}: ${RULES[wrong]}`;
  const save = async () => {
    if (off) return;
    const given = read.filter(([, value]) => value !== undefined);
    const forget = read.filter(([, value]) => value === undefined).map(([name]) => name);
    const facts = Object.fromEntries(given) as ModelFacts;
    const answer = await run(call('models.set', { profileId, model: model.id, facts, forget }));
    if (!answer.ok) return;
    onSaved();
    announce(t`What is known of ${model.id} is saved`);
    onClose();
  };
  const footer = (
    <DialogActions onClose={onClose} off={off} onClick={() => void save()}>
      {t`Save`}
    </DialogActions>
  );
  return (
    <Dialog open onClose={onClose} title={t`${model.id}, by hand`} footer={footer} width={480}>
      <div className={styles.set}>
        <Refusal text={refusal} />
        <p className="t2">{t`Values you set here are kept. Others update with the model list.`}</p>
        {names.map((name) => (
          <Field
            key={name}
            label={MODEL_FACTS[name].label}
            hint={HINTS[name]}
            {...(name === wrong ? { error: `${MODEL_FACTS[name].label}: ${RULES[name]}` } : {})}
          >
            <Control name={name} text={texts[name] ?? ''} onText={set(name)} />
          </Field>
        ))}
      </div>
    </Dialog>
  );
}

const FLAG_OPTIONS = [
  { value: '', label: t`As stated` },
  { value: 'yes', label: t`Yes` },
  { value: 'no', label: t`No` },
] as const;

function Control({ name, text, onText }: { name: FactName; text: string; onText: (text: string) => void }) {
  if (isFlag(name)) return <Segmented full value={text} onValue={onText} options={FLAG_OPTIONS} />;
  if (name !== 'endsAt') return <TextInput value={text} onValue={onText} placeholder={t`as stated`} />;
  const isDay = text !== '' && text !== 'none';
  return (
    <div className="row">
      <Segmented
        aria-label={t`When it ends`}
        value={isDay ? 'day' : text}
        onValue={(next) => onText(next === 'day' ? ' ' : next)}
        options={[
          { value: '', label: t`As stated` },
          { value: 'none', label: t`None planned` },
          { value: 'day', label: t`On a day` },
        ]}
      />
      {isDay && <TextInput type="date" aria-label={t`The day it ends, in UTC`} value={text.trim()} onValue={onText} />}
    </div>
  );
}

const HINTS: Partial<Record<FactName, string>> = {
  references: t`how many pictures`,
  seconds: t`such as 4 6 8`,
  sizes: t`such as 720p 1080p`,
  contextTokens: t`tokens`,
  outputTokens: t`tokens`,
  endsAt: 'at 00:00 UTC',
};

const RULES: Record<FactName, string> = {
  ...(Object.fromEntries(FLAGS.map((name) => [name, t`must be yes or no.`])) as Record<Flag, string>),
  references: t`must be a whole number from 0 to 16.`,
  seconds: t`must be lengths in seconds, such as 4 6 8.`,
  sizes: t`must be sizes such as 720p 1080p.`,
  contextTokens: t`must be a whole number from 1 to 100,000,000.`,
  outputTokens: t`must be a whole number from 1 to 100,000,000.`,
  endsAt: t`must be a day of the years 2015 to 2099.`,
};

/** Only what was set by hand is in the fields. */
function textsOf(model: ModelEntry, names: readonly FactName[]): Texts {
  const own = names.filter((name) => model.sources[name]?.by === 'user');
  return Object.fromEntries(own.map((name) => [name, textOf(model[name])]));
}

function textOf(value: ModelEntry[FactName]): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value === 'number' && value > 1e11) return new Date(value).toISOString().slice(0, 10);
  return String(value);
}

/** What a text sets; undefined for an empty one. */
function setBy(name: FactName, text: string): unknown {
  if (text === '') return undefined;
  const raw = rawOf(name, text.trim());
  const parsed = MODEL_FACTS[name].schema.safeParse(raw);
  return parsed.success ? parsed.data : 'wrong';
}

function rawOf(name: FactName, text: string): unknown {
  if (isFlag(name)) return text === 'yes';
  if (name === 'endsAt') return text === 'none' ? null : Date.parse(`${text}T00:00:00Z`);
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  if (name === 'sizes') return words;
  return name === 'seconds' ? words.map(Number) : Number(text.replaceAll(',', ''));
}
