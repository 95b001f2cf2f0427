import { Dices, Ellipsis } from 'lucide-react';
import type { Shot, ShotSource } from '../../../../shared/board.ts';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import { EXTENSION_SECONDS, GENERATION_SECONDS, UINT32_MAX } from '../../../../shared/kinds/video.ts';
import { useActiveProfile } from '../../../app/index.ts';
import {
  Field,
  Icon,
  IconButton,
  Menu,
  type MenuItem,
  NumberInput,
  Section,
  Segmented,
  Select,
  Toggle,
  WhyOff,
} from '../../../ui/index.ts';
import { ShotWords } from '../cast/ShotWords.tsx';
import { patchConfig, patchShot } from '../model/shots.ts';
import type { ShotView } from '../model/view.ts';
import type { BoardHandle } from '../useBoard.ts';
import { SendBar } from './SendBar.tsx';
import { Slots } from './Slots.tsx';

interface InspectorProps {
  board: BoardHandle;
  view: ShotView;
  menu: readonly MenuItem[];
}

/** Everything a shot is made from, top to bottom in the order one decides it, and the price at the button. */
export function Inspector({ board, view, menu }: InspectorProps) {
  return (
    <aside className="panel insp" aria-label="Shot settings" data-panel tabIndex={-1}>
      <div className="bar">
        <h2>Shot {view.number}</h2>
        <span className="grow" />
        <Menu
          label={`Shot ${view.number}`}
          items={menu}
          trigger={
            <IconButton label="More">
              <Icon of={Ellipsis} />
            </IconButton>
          }
        />
      </div>
      <div className="scroll">
        <ShotWords board={board} view={view} />
        <Section title="Starts from">
          <Source board={board} view={view} />
          <Slots board={board} view={view} />
        </Section>
        <Settings board={board} shot={view.shot} />
      </div>
      <SendBar board={board} view={view} />
    </aside>
  );
}

const SOURCES: { value: ShotSource; label: string; name: string }[] = [
  { value: 'text', label: 'Text', name: 'Text alone' },
  { value: 'first', label: 'First', name: 'A first frame' },
  { value: 'firstLast', label: 'First + last', name: 'A first and a last frame' },
  { value: 'references', label: 'Refs', name: 'One to three references' },
  { value: 'extend', label: 'Extend', name: 'A clip to extend' },
];

function Source({ board, view: { shot } }: { board: BoardHandle; view: ShotView }) {
  return (
    <Segmented
      full="words"
      aria-label="Starts from"
      options={SOURCES}
      value={shot.source}
      onValue={(source) => board.sync.edit(patchShot(shot.id, { source }))}
    />
  );
}

const RESOLUTIONS = ['720p', '1080p'] as const;
const ASPECTS = ['16:9', '9:16'] as const;
const CANDIDATES = ['1', '2', '3', '4'] as const;

function Settings({ board, shot }: { board: BoardHandle; shot: Shot }) {
  const models = modelsFor(KINDS.video, useActiveProfile()?.models);
  const { config } = shot;
  const set = (patch: Partial<Shot['config']>) => board.sync.edit(patchConfig(shot.id, patch));
  return (
    <Section>
      <div className="g2">
        <Field label="Model">
          <Select
            aria-label="Model"
            placeholder="Choose"
            options={models.map(({ id, label }) => ({ value: id, label: id, note: label }))}
            value={shot.model === '' ? null : shot.model}
            onValue={(model) => board.sync.edit(patchShot(shot.id, { model }))}
          />
        </Field>
        <Field label="Resolution">
          <Segmented
            full
            aria-label="Resolution"
            options={RESOLUTIONS.map((value) => ({ value, label: value }))}
            value={config.resolution ?? null}
            onValue={(resolution) => set({ resolution })}
          />
        </Field>
        <Length shot={shot} set={set} />
        <Field label="Candidates">
          <Segmented
            full
            aria-label="Candidates"
            options={CANDIDATES.map((value) => ({ value, label: value }))}
            value={String(config.sampleCount ?? 1)}
            onValue={(count) => set({ sampleCount: count === '1' ? undefined : Number(count) })}
          />
        </Field>
        <Field label="Aspect">
          <Segmented
            full
            aria-label="Aspect"
            options={ASPECTS.map((value) => ({ value, label: value }))}
            value={config.aspectRatio ?? null}
            onValue={(aspectRatio) => set({ aspectRatio })}
          />
        </Field>
        <Seed seed={config.seed} onSeed={(seed) => set({ seed })} />
        <div className="span">
          <WhyOff>{lengthReason(shot.source)}</WhyOff>
        </div>
      </div>
      <div className="row audio">
        <Toggle checked={config.generateAudio ?? false} onChecked={(generateAudio) => set({ generateAudio })}>
          Native audio
        </Toggle>
      </div>
    </Section>
  );
}

type SetConfig = (patch: Partial<Shot['config']>) => void;

/** 4, 6 or 8 s; 7 s is for extending alone (spec 2.3). */
function Length({ shot, set }: { shot: Shot; set: SetConfig }) {
  const isExtending = shot.source === 'extend';
  const lengths = [...GENERATION_SECONDS, EXTENSION_SECONDS].map((seconds) => ({
    value: String(seconds),
    label: String(seconds),
    name: `${seconds} seconds`,
    off: isExtending !== (seconds === EXTENSION_SECONDS),
  }));
  return (
    <Field label="Length" hint="seconds">
      <Segmented
        full
        aria-label="Length in seconds"
        options={lengths}
        value={isExtending ? String(EXTENSION_SECONDS) : String(shot.config.durationSeconds ?? 8)}
        onValue={(seconds) => set({ durationSeconds: Number(seconds) })}
      />
    </Field>
  );
}

const STARTS: Record<Exclude<ShotSource, 'extend'>, string> = {
  text: 'from text',
  first: 'from a first frame',
  firstLast: 'from a first and a last frame',
  references: 'from references',
};

const lengthReason = (source: ShotSource): string =>
  source === 'extend'
    ? 'An extension adds about 7 s; 4, 6 and 8 are for new clips.'
    : `7 s is for extending. This shot starts ${STARTS[source]}.`;

function Seed({ seed, onSeed }: { seed: number | undefined; onSeed: (seed: number | undefined) => void }) {
  const isValid = seed === undefined || (Number.isInteger(seed) && seed >= 0 && seed <= UINT32_MAX);
  return (
    <Field label="Seed" error={isValid ? undefined : 'Seed: 0 to 4,294,967,295.'}>
      <span className="row seed">
        <NumberInput
          value={seed ?? null}
          onValue={(value) => onSeed(value ?? undefined)}
          min={0}
          max={UINT32_MAX}
          placeholder="rolled"
          format={{ useGrouping: false, maximumFractionDigits: 0 }}
          aria-label="Seed"
        />
        <IconButton
          label="Roll a seed"
          variant="secondary"
          onClick={() => onSeed(crypto.getRandomValues(new Uint32Array(1))[0])}
        >
          <Icon of={Dices} />
        </IconButton>
      </span>
    </Field>
  );
}
