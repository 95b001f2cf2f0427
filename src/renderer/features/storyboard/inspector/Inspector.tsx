import { Dices, Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { Shot, ShotSource } from '../../../../shared/board.ts';
import type { OmittableField } from '../../../../shared/dialect.ts';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import { clipCount, EXTENSION_SECONDS, GENERATION_SECONDS, UINT32_MAX } from '../../../../shared/kinds/video.ts';
import { factsOf } from '../../../../shared/modelFacts.ts';
import type { ProfileView } from '../../../../shared/profile.ts';
import { t } from '../../../../shared/texts.ts';
import { hashOf, useActiveProfile, useNow, useStudio } from '../../../app/index.ts';
import {
  Field,
  formatUtcDay,
  Icon,
  IconButton,
  Menu,
  type MenuItem,
  NumberInput,
  Panel,
  rich,
  Section,
  Segmented,
  Select,
  Toggle,
  WhyOff,
} from '../../../ui/index.ts';
import { ShotWords } from '../cast/ShotWords.tsx';
import { UnsentPictures } from '../cast/UnsentPictures.tsx';
import { JointBlock, StaleTag } from '../joint/JointBlock.tsx';
import { extendableUntil } from '../model/extendable.ts';
import { patchConfig, patchShot, startedByHand } from '../model/shots.ts';
import type { ShotView } from '../model/view.ts';
import { type BoardHandle, selectShot, useBoardView } from '../useBoard.ts';
import styles from './inspector.module.css';
import { MoreSettings, useWhyOff } from './MoreSettings.tsx';
import { SendBar } from './SendBar.tsx';
import { Slots } from './Slots.tsx';

interface InspectorProps {
  board: BoardHandle;
  view: ShotView;
  menu: readonly MenuItem[];
}

/** Everything a shot is made from, top to bottom in the order one decides it, and the price at the button. */
export function Inspector({ board, view, menu }: InspectorProps) {
  const { isGone, last } = useGone(board);
  const choose = () => isGone && selectShot(view.shot.id);
  return (
    <Panel
      label={t`Shot settings`}
      data-follows-film
      // Who goes into its fields has chosen it; the panel itself is given the focus by the program.
      onPointerDown={choose}
      onFocus={({ target, currentTarget }) => target !== currentTarget && choose()}
    >
      <div className="bar">
        <h2>{t`Shot ${view.number}`}</h2>
        {view.state.isStale && <StaleTag />}
        <span className="grow" />
        <Menu
          label={t`Shot ${view.number}`}
          items={menu}
          trigger={
            <IconButton label={t`More`}>
              <Icon of={Ellipsis} />
            </IconButton>
          }
        />
      </div>
      {/* The fields of a shot that is gone do not stay for the one in its place: a focus in them would be on what nobody chose. */}
      <div className="scroll" key={last}>
        <ShotWords board={board} view={view} />
        <Section title={t`Starts from`}>
          <Source board={board} view={view} />
          <Slots key={view.shot.id} board={board} view={view} />
          <UnsentPictures board={board} shot={view.shot} />
        </Section>
        <Settings board={board} shot={view.shot} />
        <ExtendableUntil view={view} />
        <JointBlock board={board} view={view} />
        <Section>
          <MoreSettings board={board} view={view} />
        </Section>
      </div>
      <SendBar board={board} view={view} isGone={isGone} />
    </Panel>
  );
}

/** Whether the chosen shot was removed elsewhere, so that another one is shown, which nobody chose; and the last that was. */
function useGone({ shots }: BoardHandle): { isGone: boolean; last: string | undefined } {
  const chosen = useBoardView(({ shotId }) => shotId);
  const isThere = shots.some(({ shot }) => shot.id === chosen);
  const [known, setKnown] = useState<string>();
  const [last, setLast] = useState<string>();
  if (isThere && known !== chosen) setKnown(chosen);
  const isGone = !isThere && chosen !== undefined && known === chosen;
  if (isGone && last !== chosen) setLast(chosen);
  return { isGone, last };
}

function Model({ model, onModel }: { model: string; onModel: (model: string) => void }) {
  const profile = useActiveProfile();
  const now = useNow(600_000);
  const options = modelsFor(KINDS.video, profile?.models).map(({ id, label }) => ({
    value: id,
    label: id,
    note: endNote(profile, id, now) ?? label,
  }));
  return (
    <Field label={t`Model`}>
      <Select
        aria-label={t`Model`}
        placeholder={t`Choose`}
        options={options}
        value={model === '' ? null : model}
        onValue={onModel}
      />
    </Field>
  );
}

/** Of a model that ends: when; undefined for any other. */
function endNote(profile: ProfileView | undefined, model: string, now: number): string | undefined {
  const { endsAt } = profile ? factsOf(profile, model) : {};
  if (typeof endsAt !== 'number') return undefined;
  return `${endsAt <= now ? 'ended' : 'ends'} ${formatUtcDay(endsAt, now)}`;
}

/** A kept take hangs on the model that made it: later it can only be continued. */
function ExtendableUntil({ view: { active } }: { view: ShotView }) {
  const now = useNow(600_000);
  const until = extendableUntil(
    active,
    useStudio(({ profiles }) => profiles),
    now,
  );
  const { model, profileId } = active?.job ?? {};
  if (until === undefined || model === undefined || profileId === undefined) return null;
  return (
    <p className="sec t2">
      {rich`Take ${active?.number} can be extended until ${<b>{formatUtcDay(until, now)}</b>}, and later only continued from its last frame.`}{' '}
      <a className="lnk" href={hashOf('settings', { section: 'models', profile: profileId, model })}>
        {t`What ends then`}
      </a>
    </p>
  );
}

const SOURCES: { value: ShotSource; label: string; name: string }[] = [
  { value: 'text', label: t`Text`, name: t`Text alone` },
  { value: 'first', label: t`First`, name: t`A first frame` },
  { value: 'firstLast', label: t`First + last`, name: t`A first and a last frame` },
  { value: 'references', label: t`Refs`, name: t`One to three references` },
  { value: 'extend', label: t`Extend`, name: t`A clip to extend` },
];

function Source({ board, view: { shot } }: { board: BoardHandle; view: ShotView }) {
  return (
    <Segmented
      full="words"
      aria-label={t`Starts from`}
      options={SOURCES}
      value={shot.source}
      onValue={(source) => board.sync.edit(patchShot(shot.id, startedByHand(shot, { source })))}
    />
  );
}

const RESOLUTIONS = ['720p', '1080p'] as const;
const ASPECTS = ['16:9', '9:16'] as const;
const CANDIDATES = ['1', '2', '3', '4'] as const;

function Settings({ board, shot }: { board: BoardHandle; shot: Shot }) {
  const { config } = shot;
  const set = (patch: Partial<Shot['config']>) => board.sync.edit(patchConfig(shot.id, patch));
  const whyOff = useWhyOff();
  const notTaken = SHOWN_FIELDS.flatMap((field) => whyOff(field) ?? []);
  const isOff = (field: OmittableField) => whyOff(field) !== undefined;
  return (
    <Section>
      <div className="g2">
        <Model model={shot.model} onModel={(model) => board.sync.edit(patchShot(shot.id, { model }))} />
        <Choice
          label={t`Resolution`}
          options={RESOLUTIONS}
          value={config.resolution}
          off={isOff('resolution')}
          onValue={(resolution) => set({ resolution })}
        />
        <Length shot={shot} set={set} />
        <Choice
          label={t`Candidates`}
          options={CANDIDATES}
          value={String(clipCount({ config })) as (typeof CANDIDATES)[number]}
          onValue={(count) => set(candidates(config, Number(count)))}
        />
        <Choice
          label={t`Aspect`}
          options={ASPECTS}
          value={config.aspectRatio}
          off={isOff('aspectRatio')}
          onValue={(aspectRatio) => set({ aspectRatio })}
        />
        <Seed seed={config.seed} off={isOff('seed')} onSeed={(seed) => set({ seed })} />
        <div className="span">
          <WhyOff>{lengthReason(shot.source)}</WhyOff>
          {notTaken.map((why) => (
            <WhyOff key={why}>{why}</WhyOff>
          ))}
        </div>
      </div>
      <div className={`row ${styles.audio}`}>
        <Toggle
          checked={config.generateAudio ?? false}
          disabled={isOff('generateAudio')}
          onChecked={(generateAudio) => set({ generateAudio })}
        >
          {t`Native audio`}
        </Toggle>
      </div>
    </Section>
  );
}

/** Those of the fields that a service may not take which stand above "More". */
const SHOWN_FIELDS = ['resolution', 'aspectRatio', 'seed', 'generateAudio'] as const satisfies OmittableField[];

/** One candidate is what a request without a number means; where the other name is chosen too, both say the same. */
const candidates = ({ numberOfVideos }: Shot['config'], count: number): Partial<Shot['config']> => ({
  sampleCount: count === 1 ? undefined : count,
  ...(numberOfVideos !== undefined && { numberOfVideos: count }),
});

interface ChoiceProps<Value extends string> {
  label: string;
  options: readonly Value[];
  value: Value | undefined;
  off?: boolean;
  onValue: (value: Value) => void;
}

function Choice<Value extends string>({ label, options, value, off = false, onValue }: ChoiceProps<Value>) {
  return (
    <Field label={label} disabled={off}>
      <Segmented
        full
        aria-label={label}
        disabled={off}
        options={options.map((one) => ({ value: one, label: one }))}
        value={value ?? null}
        onValue={onValue}
      />
    </Field>
  );
}

type SetConfig = (patch: Partial<Shot['config']>) => void;

/** 4, 6 or 8 s; 7 s is for extending alone (spec 2.3). */
function Length({ shot, set }: { shot: Shot; set: SetConfig }) {
  const isExtending = shot.source === 'extend';
  const lengths = [...GENERATION_SECONDS, EXTENSION_SECONDS].map((seconds) => ({
    value: String(seconds),
    label: String(seconds),
    name: t`${seconds} seconds`,
    off: isExtending !== (seconds === EXTENSION_SECONDS),
  }));
  return (
    <Field label={t`Length`} hint={t`seconds`}>
      <Segmented
        full
        aria-label={t`Length in seconds`}
        options={lengths}
        value={isExtending ? String(EXTENSION_SECONDS) : String(shot.config.durationSeconds ?? 8)}
        onValue={(seconds) => set({ durationSeconds: Number(seconds) })}
      />
    </Field>
  );
}

const STARTS: Record<Exclude<ShotSource, 'extend'>, string> = {
  text: t`from text`,
  first: t`from a first frame`,
  firstLast: t`from a first and a last frame`,
  references: t`from references`,
};

const lengthReason = (source: ShotSource): string =>
  source === 'extend'
    ? t`An extension adds about 7 s; 4, 6 and 8 are for new clips.`
    : t`7 s is for extending. This shot starts ${STARTS[source]}.`;

interface SeedProps {
  seed: number | undefined;
  off: boolean;
  onSeed: (seed: number | undefined) => void;
}

function Seed({ seed, off, onSeed }: SeedProps) {
  const isValid = seed === undefined || (Number.isInteger(seed) && seed >= 0 && seed <= UINT32_MAX);
  return (
    <Field label={t`Seed`} disabled={off} error={isValid ? undefined : t`Seed: 0 to 4,294,967,295.`}>
      <span className={`row ${styles.seed}`}>
        <NumberInput
          value={seed ?? null}
          onValue={(value) => onSeed(value ?? undefined)}
          min={0}
          max={UINT32_MAX}
          placeholder={t`rolled`}
          format={{ useGrouping: false, maximumFractionDigits: 0 }}
          aria-label={t`Seed`}
        />
        <IconButton
          label={t`Roll a seed`}
          variant="secondary"
          onClick={() => onSeed(crypto.getRandomValues(new Uint32Array(1))[0])}
        >
          <Icon of={Dices} />
        </IconButton>
      </span>
    </Field>
  );
}
