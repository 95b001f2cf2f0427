import { useState } from 'react';
import type { ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { FACT_NAMES, type FactName, MODEL_FACTS, type ModelFacts } from '../../../../shared/gateway/modelFacts.ts';
import { t } from '../../../../shared/text/texts.ts';
import { useAction } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { Dialog, DialogActions, Field, Refusal, Segmented, TextInput } from '../../../ui/index.ts';
import { isAbout } from './words.ts';

interface FactsDialogProps {
  profileId: string;
  model: ModelEntry;
  onSaved: () => void;
  onClose: () => void;
}

/** The texts of the fields; an empty one means the value that the gateway states. */
type Texts = Partial<Record<FactName, string>>;

interface FactField {
  /** The expected format; also shown as the error. */
  hint?: string;
  valueOf: (text: string) => unknown;
}

const words = (text: string): string[] => text.split(/[\s,;]+/).filter((word) => word !== '');
const figure = (text: string): number => Number(text.replaceAll(',', ''));
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const FLAG: FactField = { valueOf: (text) => text === 'yes' };
const TOKENS: FactField = { hint: t`Tokens`, valueOf: figure };

const FIELDS: Record<FactName, FactField> = {
  first: FLAG,
  last: FLAG,
  extend: FLAG,
  sound: FLAG,
  tools: FLAG,
  pictures: FLAG,
  references: { hint: t`0 to 16`, valueOf: figure },
  seconds: { hint: t`Seconds, such as 4 6 8`, valueOf: (text) => words(text).map(Number) },
  sizes: { hint: t`Such as 720p 1080p`, valueOf: words },
  variations: { hint: t`1 to 4`, valueOf: figure },
  extra: { hint: t`JSON, without fields that Dailies sends`, valueOf: jsonOf },
  contextTokens: TOKENS,
  outputTokens: TOKENS,
  endsAt: {
    hint: t`At 00:00 UTC`,
    valueOf: (text) => (text === 'none' ? null : Date.parse(`${text}T00:00:00Z`)),
  },
};

/** Facts about a model set by hand. They override what the gateway states, and reading its list again does not remove them. */
export function FactsDialog({ profileId, model, onSaved, onClose }: FactsDialogProps) {
  const names = FACT_NAMES.filter((name) => isAbout(name, model));
  const [texts, setTexts] = useState<Texts>(() => textsOf(model, names));
  const { refusal, run } = useAction();
  const set = (name: FactName) => (text: string) => setTexts((before) => ({ ...before, [name]: text }));
  const read = names.map((name) => [name, setBy(name, texts[name] ?? '')] as const);
  const wrong = read.find(([, value]) => value === 'wrong')?.[0];
  const off = wrong && `${MODEL_FACTS[wrong].label}: ${FIELDS[wrong].hint}`;
  const save = async () => {
    if (off) return;
    const given = read.filter(([, value]) => value !== undefined);
    const forget = read.filter(([, value]) => value === undefined).map(([name]) => name);
    const facts = Object.fromEntries(given) as ModelFacts;
    const answer = await run(call('models.set', { profileId, model: model.id, facts, forget }));
    if (!answer.ok) return;
    onSaved();
    onClose();
  };
  const footer = (
    <DialogActions onClose={onClose} off={off} onClick={() => void save()}>
      {t`Save`}
    </DialogActions>
  );
  return (
    <Dialog open onClose={onClose} title={t`Edit ${model.id}`} footer={footer} width={480}>
      <div className="col gap">
        <Refusal text={refusal} />
        <p className="t2">{t`Your values are kept when the list is read again.`}</p>
        {names.map((name) => (
          <Field
            key={name}
            label={MODEL_FACTS[name].label}
            hint={statedWords(model, name) ?? FIELDS[name].hint}
            error={name === wrong ? off : undefined}
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
  if (FIELDS[name] === FLAG) return <Segmented full value={text} onValue={onText} options={FLAG_OPTIONS} />;
  if (name !== 'endsAt') return <TextInput value={text} onValue={onText} placeholder={t`As stated`} />;
  const isDay = text !== '' && text !== 'none';
  return (
    <div className="row">
      <Segmented
        aria-label={t`When it ends`}
        value={isDay ? 'day' : text}
        onValue={(next) => onText(next === 'day' ? ' ' : next)}
        options={[
          { value: '', label: t`As stated` },
          { value: 'none', label: t`No end` },
          { value: 'day', label: t`On a day` },
        ]}
      />
      {isDay && <TextInput type="date" aria-label={t`Last day, in UTC`} value={text.trim()} onValue={onText} />}
    </div>
  );
}

/** The value from the gateway's list, unless it was set by hand. */
function statedWords(model: ModelEntry, name: FactName): string | undefined {
  return model.sources[name]?.by === 'service' ? t`Gateway: ${textOf(model[name])}` : undefined;
}

/** The fields hold only values set by hand. */
function textsOf(model: ModelEntry, names: readonly FactName[]): Texts {
  const own = names.filter((name) => model.sources[name]?.by === 'user');
  return Object.fromEntries(own.map((name) => [name, textOf(model[name])]));
}

function textOf(value: ModelEntry[FactName]): string {
  if (value === null) return 'none';
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return value.join(' ');
  if (typeof value === 'number' && value > 1e11) return new Date(value).toISOString().slice(0, 10);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

/** The value of a text; undefined if it is empty. */
function setBy(name: FactName, text: string): unknown {
  if (text === '') return undefined;
  const parsed = MODEL_FACTS[name].schema.safeParse(FIELDS[name].valueOf(text.trim()));
  return parsed.success ? parsed.data : 'wrong';
}
