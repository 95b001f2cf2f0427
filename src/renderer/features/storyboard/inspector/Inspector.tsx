import { Ellipsis } from 'lucide-react';
import { useState } from 'react';
import type { Shot } from '../../../../shared/board/board.ts';
import { factsOf } from '../../../../shared/gateway/modelFacts.ts';
import type { ProfileView } from '../../../../shared/gateway/profile.ts';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import { clipCount, clipLengths, EXTENSION_SECONDS } from '../../../../shared/kinds/video.ts';
import { t } from '../../../../shared/text/texts.ts';
import { OWN_PROTOCOLS } from '../../../../shared/wire/protocols.ts';
import { useActiveProfile, useModelLimits, useNow } from '../../../app/index.ts';
import {
  Field,
  formatUtcDay,
  Icon,
  IconButton,
  Menu,
  type MenuItem,
  Panel,
  Section,
  Segmented,
  Select,
  WhyOff,
} from '../../../ui/index.ts';
import { ShotWords } from '../cast/ShotWords.tsx';
import { Choice } from '../controls.tsx';
import { patchConfig, patchShot } from '../model/shots.ts';
import type { ShotView } from '../model/view.ts';
import { type BoardHandle, selectShot, useBoardView } from '../useBoard.ts';
import styles from './inspector.module.css';
import { MoreSettings, useWhyOff } from './MoreSettings.tsx';
import { SendBar } from './SendBar.tsx';
import { StartsFrom } from './StartsFrom.tsx';

interface InspectorProps {
  board: BoardHandle;
  view: ShotView;
  menu: readonly MenuItem[];
}

/** All inputs of a shot, in the order of decisions, and the price at the button. */
export function Inspector({ board, view, menu }: InspectorProps) {
  const { isGone, last } = useGone(board);
  const choose = () => isGone && selectShot(view.shot.id);
  return (
    <Panel
      label={t`Shot settings`}
      className={styles.inspector}
      data-follows-film
      // Entering a field selects the shot; the panel itself may get the focus from the program.
      onPointerDown={choose}
      onFocus={({ target, currentTarget }) => target !== currentTarget && choose()}
    >
      <div className="bar">
        <h2 className="grow">{t`Shot ${view.number}`}</h2>
        <Menu
          label={t`Shot ${view.number}`}
          items={menu}
          trigger={
            <IconButton label={t`Shot menu`}>
              <Icon of={Ellipsis} />
            </IconButton>
          }
        />
      </div>
      {/* The fields of a shot that is gone do not stay for the one in its place: a focus in them would be on what nobody chose. */}
      <div className="scroll" key={last}>
        <Section>
          <ShotWords board={board} view={view} />
          <StartsFrom board={board} view={view} />
        </Section>
        <Section>
          <Settings board={board} shot={view.shot} />
          <MoreSettings board={board} view={view} />
        </Section>
      </div>
      <SendBar board={board} view={view} isGone={isGone} />
    </Panel>
  );
}

/** Whether the selected shot was removed elsewhere, so that another is shown that nobody selected; and the last selected one. */
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

/** When the model ends; undefined for any other. */
function endNote(profile: ProfileView | undefined, model: string, now: number): string | undefined {
  const { endsAt } = profile ? factsOf(profile, model) : {};
  if (typeof endsAt !== 'number') return undefined;
  return `${endsAt <= now ? 'ended' : 'ends'} ${formatUtcDay(endsAt, now)}`;
}

const RESOLUTIONS = ['720p', '1080p'] as const;
const ASPECTS = ['16:9', '9:16'] as const;
const VARIATIONS = ['1', '2', '3', '4'] as const;

function Settings({ board, shot }: { board: BoardHandle; shot: Shot }) {
  const { config } = shot;
  const set = (patch: Partial<Shot['config']>) => board.sync.edit(patchConfig(shot.id, patch));
  const whyOff = useWhyOff();
  const notTaken = (['resolution', 'aspectRatio'] as const).flatMap((field) => whyOff(field) ?? []);
  return (
    <>
      <Model model={shot.model} onModel={(model) => board.sync.edit(patchShot(shot.id, { model }))} />
      <div className="g2">
        <Length shot={shot} onSeconds={(durationSeconds) => set({ durationSeconds })} />
        <Choice
          label={t`Resolution`}
          options={RESOLUTIONS}
          value={config.resolution}
          off={whyOff('resolution') !== undefined}
          onValue={(resolution) => set({ resolution })}
        />
        <Choice
          label={t`Variations`}
          options={VARIATIONS}
          value={String(clipCount({ config })) as (typeof VARIATIONS)[number]}
          onValue={(count) => set(variations(config, Number(count)))}
        />
        <Choice
          label={t`Aspect`}
          options={ASPECTS}
          value={config.aspectRatio}
          off={whyOff('aspectRatio') !== undefined}
          onValue={(aspectRatio) => set({ aspectRatio })}
        />
      </div>
      {notTaken.map((why) => (
        <WhyOff key={why}>{why}</WhyOff>
      ))}
    </>
  );
}

/** One variation is the default of a request; if both names are set, both get the same value. */
const variations = ({ numberOfVideos }: Shot['config'], count: number): Partial<Shot['config']> => ({
  sampleCount: count === 1 ? undefined : count,
  ...(numberOfVideos !== undefined && { numberOfVideos: count }),
});

/** The model's lengths; an extension always adds 7 s (spec 2.3). */
function Length({ shot, onSeconds }: { shot: Shot; onSeconds: (seconds: number) => void }) {
  const { facts = {}, protocols = OWN_PROTOCOLS } = useModelLimits()(shot.model);
  const isExtending = shot.source === 'extend';
  const lengths = isExtending ? [EXTENSION_SECONDS] : clipLengths(facts, protocols);
  return (
    <Field label={t`Length`}>
      <Segmented
        full
        aria-label={t`Length`}
        options={lengths.map((seconds) => ({
          value: String(seconds),
          label: t`${seconds} s`,
          name: t`${seconds} seconds`,
        }))}
        value={String(isExtending ? EXTENSION_SECONDS : (shot.config.durationSeconds ?? 8))}
        onValue={(seconds) => onSeconds(Number(seconds))}
      />
    </Field>
  );
}
