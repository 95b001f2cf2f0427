import type { ComponentProps } from 'react';
import type { StudioError } from '../../../shared/contract/result.ts';
import type { ChosenAssetFigures, SharedValue } from '../../../shared/library/chosenAssets.ts';
import { t } from '../../../shared/text/texts.ts';
import { chosenCount, isChosen, useEntities } from '../../app/index.ts';
import {
  AssetImage,
  formatBytes,
  formatCount,
  formatSeconds,
  formatStamp,
  KeyValue,
  PriceWords,
  plural,
  Reading,
  Section,
} from '../../ui/index.ts';
import { NOT_JUDGED, VERDICT_WORDS } from '../../words/index.ts';
import type { ShownList } from './choosing.ts';
import { useLibraryView } from './state.ts';
import styles from './table.module.css';

interface ManyProps {
  shown: ShownList;
  figures: ChosenAssetFigures | undefined;
  error: StudioError | undefined;
}

export function Many({ shown, figures, error }: ManyProps) {
  const count = useLibraryView(({ choice }) => figures?.count ?? chosenCount(choice));
  return (
    <>
      <div className="bar">
        <h2>{t`${formatCount(count)} selected`}</h2>
        <span className="grow" />
        {figures && figures.local < figures.count && (
          <span className="t3">{t`${formatCount(figures.count - figures.local)} not on disk`}</span>
        )}
      </div>
      <div className="scroll">
        <Pictures shown={shown} />
        <Reading of={{ data: figures, error }}>{(all) => <Together figures={all} />}</Reading>
      </div>
    </>
  );
}

const PICTURES = 6;

function Pictures({ shown: { list } }: { shown: ShownList }) {
  const choice = useLibraryView((view) => view.choice);
  const assets = useEntities((state) => state.assets);
  const ids = choice.all ? firstOf(list, (id) => isChosen(choice, id)) : [...choice.ids].slice(0, PICTURES);
  return (
    <div className="sec">
      <div className={styles.tri3}>
        {ids.map((id) => (
          <div key={id} className="media">
            <AssetImage asset={assets.get(id)} className="fill" />
          </div>
        ))}
      </div>
    </div>
  );
}

function firstOf({ at }: ShownList['list'], fits: (id: string) => boolean): string[] {
  const ids: string[] = [];
  for (let place = 0; ids.length < PICTURES; place++) {
    const id = at(place)?.id;
    if (id === undefined) break;
    if (fits(id)) ids.push(id);
  }
  return ids;
}

function Together({ figures }: { figures: ChosenAssetFigures }) {
  const { count, bytes, seconds, firstAt, lastAt } = figures;
  const isOneMoment = formatStamp(firstAt) === formatStamp(lastAt);
  return (
    <Section title={t`Summary`}>
      <KeyValue
        items={[
          [t`Kind`, figures.types.map(({ value, count: n }) => kindWords(value, n)).join(', ')],
          [t`Length`, seconds > 0 && formatSeconds(seconds)],
          [t`Size`, formatBytes(bytes)],
          ...costsOf(figures),
          [t`Made`, isOneMoment ? formatStamp(firstAt) : t`${formatStamp(firstAt)} to ${formatStamp(lastAt)}`],
          [t`Model`, sharedWords(figures.models, count, plural(figures.models.length, 'model'))],
          [t`Picture`, sharedWords(figures.sizes, count, plural(figures.sizes.length, 'size'))],
          [
            t`Rating`,
            figures.verdicts.map(({ value, count: n }) => `${verdictWord(value)} ${formatCount(n)}`).join(', '),
          ],
        ]}
      />
    </Section>
  );
}

/** Real and test money are never added up, and assets without a price are in neither. */
function costsOf({ costNano, costLowNano, playNano, playLowNano, unpriced }: ChosenAssetFigures) {
  return [
    [t`Cost`, costNano > 0 && <BothReadings key="cost" nano={costNano} lowNano={costLowNano} />],
    [t`Test money`, playNano > 0 && <BothReadings key="play" nano={playNano} lowNano={playLowNano} />],
    [t`No price set`, unpriced > 0 && plural(unpriced, 'item')],
  ] satisfies ComponentProps<typeof KeyValue>['items'];
}

function BothReadings({ nano, lowNano }: { nano: number; lowNano: number }) {
  return (
    <>
      <PriceWords nano={nano} lowNano={lowNano} as="most" />
      {lowNano !== nano && (
        <span className="t3">
          {' '}
          / <PriceWords nano={lowNano} />
        </span>
      )}
    </>
  );
}

const KIND_WORDS: Record<string, (count: number) => string> = {
  video: (count) => plural(count, 'clip'),
  image: (count) => plural(count, 'picture'),
  audio: (count) => plural(count, 'sound'),
};

const kindWords = (type: string, count: number): string => KIND_WORDS[type]?.(count) ?? `${formatCount(count)} ${type}`;

const verdictWord = (value: string): string =>
  value in VERDICT_WORDS ? VERDICT_WORDS[value as keyof typeof VERDICT_WORDS] : NOT_JUDGED;

/** The value that all of them share; otherwise the number of different values if they differ or some have none. */
function sharedWords(values: readonly SharedValue[], count: number, several: string) {
  const [first, second] = values;
  if (!first) return undefined;
  if (second) return <span className="t3">{several}</span>;
  return first.count === count ? first.value : t`${first.value}, ${formatCount(first.count)} of ${formatCount(count)}`;
}
