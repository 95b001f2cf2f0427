import { Plus } from 'lucide-react';
import { useState } from 'react';
import type { ModelEntry } from '../../../../shared/gateway/modelCalls.ts';
import { FACT_NAMES, type FactName, MODEL_FACTS } from '../../../../shared/gateway/modelFacts.ts';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { allPricings } from '../../../../shared/kinds/index.ts';
import { PRICINGS, type PriceKind } from '../../../../shared/kinds/pricings.ts';
import { priceFor } from '../../../../shared/money/price.ts';
import { counted, formatCount, t } from '../../../../shared/text/texts.ts';
import { ActionButton, announce, hashOf, useAction, useNow } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { SetPrice } from '../../../spending/index.ts';
import {
  Button,
  Dialog,
  DialogActions,
  EmptyState,
  Field,
  formatClock,
  formatStamp,
  Icon,
  Panel,
  Reading,
  Refusal,
  Select,
  TextInput,
} from '../../../ui/index.ts';
import { Dependents } from './Dependents.tsx';
import { FactsDialog } from './FactsDialog.tsx';
import { ModelTable, NotStated } from './ModelTable.tsx';
import styles from './models.module.css';
import { type ModelsHandle, useModels } from './useModels.ts';
import { endMoment, isAbout, priceWords } from './words.ts';

/** What each model can, what it costs, the day it ends, and which shots hang on it. */
export function ModelsAndPrices() {
  const now = useNow(60_000);
  const handle = useModels();
  const { list, models, prices, chosen, choose, profile, byHand } = handle;
  return (
    <>
      <section className={`col ${styles.mdlPage}`} aria-label={t`Models and prices`} data-panel tabIndex={-1}>
        <Head handle={handle} now={now} />
        <div className="scroll grow">
          <Reading of={list} rows={6} />
          {list.data && models.length === 0 && (
            <EmptyState title={t`This gateway has no models yet`}>
              {t`Read its list, or enter one by hand. Neither costs anything.`}
            </EmptyState>
          )}
          {models.length > 0 && (
            <ModelTable models={models} prices={prices} chosen={chosen?.id} onChoose={choose} now={now} />
          )}
        </div>
        {profile && chosen && (
          <Dependents key={`${profile.id} ${chosen.id}`} handle={handle} model={chosen} now={now} />
        )}
      </section>
      {chosen && <FactsPanel handle={handle} model={chosen} now={now} />}
      {byHand && <FactsDialog {...byHand} onSaved={list.reload} onClose={handle.closeByHand} />}
    </>
  );
}

function Head({ handle, now }: { handle: ModelsHandle; now: number }) {
  const { profiles, profile, list, openProfile, read, isReading, refusal, chosen } = handle;
  const [isAdding, setAdding] = useState(false);
  const off = profile?.builtin ? t`The sandbox has its own models. Connect a gateway to add others.` : undefined;
  return (
    <>
      <div className="bar">
        <h2 className="cut">{t`Models of ${profile?.name}`}</h2>
        <span className="t3 cut">{readWords(list.data, now)}</span>
        <span className="grow" />
        {profiles.length > 1 && (
          <span className={styles.whose}>
            <Select
              aria-label={t`Gateway`}
              options={profiles.map(({ id, name }) => ({ value: id, label: name }))}
              value={profile?.id ?? null}
              onValue={openProfile}
            />
          </span>
        )}
        <Button variant="ghost" off={off} onClick={() => setAdding(true)}>
          <Icon of={Plus} />
          {t`By hand`}
        </Button>
        {chosen && (
          <>
            <Button variant="ghost" className={styles.narrow} onClick={handle.openByHand}>
              {t`Set by hand`}
            </Button>
            <SetPrice kind={chosen.kind} model={chosen.id} profileId={profile?.id} className={styles.narrow}>
              {t`Set a price`}
            </SetPrice>
          </>
        )}
        <ActionButton action="settings.again" busy={isReading} onDo={() => void read()}>
          {t`Read again`}
        </ActionButton>
      </div>
      <Refusal text={refusal} />
      {isAdding && profile && (
        <AddModel
          key={profile.id}
          profile={profile}
          others={list.data?.others ?? []}
          onClose={() => setAdding(false)}
        />
      )}
    </>
  );
}

/** `7 listed, read 07:40, nothing billed`. */
function readWords(list: { readAt?: number; listed?: number } | undefined, now: number): string {
  if (!list) return '';
  if (list.readAt === undefined) return t`not read yet; reading costs nothing`;
  const isToday = new Date(list.readAt).toDateString() === new Date(now).toDateString();
  const when = isToday ? formatClock(list.readAt) : formatStamp(list.readAt, now);
  return t`${counted(list.listed ?? 0, 'model')} listed, read ${when}, nothing billed`;
}

interface AddModelProps {
  profile: ProfileView;
  /** Ids of the service's list that the profile does not have. */
  others: readonly string[];
  onClose: () => void;
}

/** Enters a model by hand; the ids of the service's list are offered. */
function AddModel({ profile, others, onClose }: AddModelProps) {
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

/** Who says what of the chosen model: without a source it is not stated, never a no. */
function FactsPanel({ handle, model, now }: { handle: ModelsHandle; model: ModelEntry; now: number }) {
  const { list } = handle;
  const names = FACT_NAMES.filter((name) => isAbout(name, model));
  return (
    <Panel label={t`What is known of ${model.id}`}>
      <div className="bar">
        <h2 className="cut">{model.id}</h2>
        <span className="grow" />
        <Button onClick={handle.openByHand}>{t`Set by hand`}</Button>
      </div>
      <div className="scroll">
        <section className="sec" aria-label={t`What it can`}>
          <table className={`mini ${styles.facts}`}>
            <caption className="vh">{t`What is stated of ${model.id}, and by whom`}</caption>
            <tbody>
              {names.map((name) => (
                <tr key={name}>
                  <th scope="row">{MODEL_FACTS[name].label}</th>
                  <td>{model[name] === undefined ? <NotStated /> : factWords(model, name, now)}</td>
                  <td className="t3">{sourceWords(model, name)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="t3">
            {list.data?.readAt === undefined
              ? t`The list of this gateway was not read yet.`
              : t`Read from ${list.data.from} on ${formatStamp(list.data.readAt, now)}.${model.listed === false ? t` The list leaves it out; the first job will tell.` : ''}`}
          </p>
        </section>
        <PriceSection handle={handle} model={model} />
      </div>
    </Panel>
  );
}

/** Its price, and the way to the form for it; to its readings too, where there are several in an entry that it is reckoned by. */
function PriceSection({ handle: { profile, prices }, model }: { handle: ModelsHandle; model: ModelEntry }) {
  const { price, unit, isOpen } = priceWords(priceFor(prices, model.kind, model.id));
  const hasEntry = prices.some((entry) => entry.kind === model.kind && [model.id, '*'].includes(entry.model));
  return (
    <section className="sec" aria-label={t`Price`}>
      <h3>{t`Price`}</h3>
      <p>
        {price} <span className="t3">{unit}</span>
      </p>
      <div className="row">
        <SetPrice kind={model.kind} model={model.id} profileId={profile?.id}>
          {t`Set price in Spend`}
        </SetPrice>
        {isOpen && hasEntry && (
          <a className="lnk" href={hashOf('spend', profile ? { profile: profile.id } : {})}>
            {t`Choose price in Spend`}
          </a>
        )}
      </div>
    </section>
  );
}

function factWords(model: ModelEntry, name: FactName, now: number): string {
  const value = model[name];
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (name === 'endsAt') return typeof value === 'number' ? endMoment(value, now) : t`none planned`;
  if (name === 'seconds') return `${model.seconds?.join(', ')} s`;
  if (Array.isArray(value)) return value.join(', ');
  if (typeof value === 'object') return JSON.stringify(value);
  return typeof value === 'number' ? formatCount(value) : String(value);
}

function sourceWords({ sources }: ModelEntry, name: FactName): string {
  const source = sources[name];
  if (!source) return '';
  return source.by === 'user' ? t`by hand` : (source.field ?? '');
}
