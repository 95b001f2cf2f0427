import type { ModelEntry } from '../../../../shared/modelCalls.ts';
import { FACT_NAMES, type FactName, MODEL_FACTS } from '../../../../shared/modelFacts.ts';
import { priceFor } from '../../../../shared/price.ts';
import { formatCount, t } from '../../../../shared/texts.ts';
import { hashOf } from '../../../app/index.ts';
import { SetPrice } from '../../../spending/index.ts';
import { Button, formatStamp, Panel } from '../../../ui/index.ts';
import { NotStated } from './ModelTable.tsx';
import styles from './models.module.css';
import type { ModelsHandle } from './useModels.ts';
import { endMoment, isAbout, priceWords } from './words.ts';

/** Who says what of the chosen model: without a source it is not stated, never a no. */
export function FactsPanel({ handle, model, now }: { handle: ModelsHandle; model: ModelEntry; now: number }) {
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
  return typeof value === 'number' ? formatCount(value) : String(value);
}

function sourceWords({ sources }: ModelEntry, name: FactName): string {
  const source = sources[name];
  if (!source) return '';
  return source.by === 'user' ? t`by hand` : (source.field ?? '');
}
