import { useState } from 'react';
import type { Shot } from '../../../../shared/board/board.ts';
import { DEFAULT_REFERENCE_TYPE, type OmittableField, UINT32_MAX } from '../../../../shared/kinds/videoConfig.ts';
import { t } from '../../../../shared/text/texts.ts';
import { spelled } from '../../../../shared/wire/spelling.ts';
import { useActiveProfile } from '../../../app/index.ts';
import { Field, NumberInput, TextInput, Toggle, WhyOff } from '../../../ui/index.ts';
import { Choice } from '../controls.tsx';
import { linkedShot, wouldBeSent } from '../model/draft.ts';
import { ownTypeAt, patchConfig, patchShot, withType } from '../model/shots.ts';
import type { ViewProps } from '../tabProps.ts';
import styles from './inspector.module.css';

/** The other request settings (spec 2.2, 2.3) and the request preview. Values that the gateway does not support stay, with the reason. */
export function MoreSettings({ board, view }: ViewProps) {
  const { shot } = view;
  const whyOff = useWhyOff();
  const { config } = shot;
  const set = (patch: Partial<Shot['config']>) => board.sync.edit(patchConfig(shot.id, patch));
  const facts = [config.seed === undefined ? t`Random seed` : t`Seed ${config.seed}`, config.generateAudio && t`Sound`];
  return (
    <details className={styles.moreSettings}>
      <summary>
        {t`More settings`} <span className="t3">{facts.filter(Boolean).join(', ')}</span>
      </summary>
      <div className="col gap">
        <Seed seed={config.seed} off={whyOff('seed')} onSeed={(seed) => set({ seed })} />
        <Toggle
          checked={config.generateAudio ?? false}
          disabled={whyOff('generateAudio') !== undefined}
          onChecked={(generateAudio) => set({ generateAudio })}
        >
          {t`Sound`}
        </Toggle>
        <WhyOff>{whyOff('generateAudio')}</WhyOff>
        <Choice
          label={t`Frame rate`}
          off={whyOff('fps') !== undefined}
          options={['open', '24']}
          words={{ open: t`Open` }}
          value={config.fps === undefined ? 'open' : '24'}
          onValue={(fps) => set({ fps: fps === 'open' ? undefined : 24 })}
        >
          <WhyOff>{whyOff('fps')}</WhyOff>
        </Choice>
        <Choice
          label={t`Variations`}
          off={whyOff('numberOfVideos') !== undefined}
          options={['open', '1', '2', '3', '4']}
          words={{ open: t`Open` }}
          value={String(config.numberOfVideos ?? 'open')}
          onValue={(count) => set({ numberOfVideos: count === 'open' ? undefined : Number(count) })}
        >
          <WhyOff>{whyOff('numberOfVideos')}</WhyOff>
        </Choice>
        <ReferenceTypes board={board} view={view} />
        <Sent board={board} view={view} />
      </div>
    </details>
  );
}

interface SeedProps {
  seed: number | undefined;
  off: string | undefined;
  onSeed: (seed: number | undefined) => void;
}

function Seed({ seed, off, onSeed }: SeedProps) {
  const isValid = seed === undefined || (Number.isInteger(seed) && seed >= 0 && seed <= UINT32_MAX);
  return (
    <Field label={t`Seed`} disabled={off !== undefined} error={isValid ? undefined : t`Seed: 0 to 4,294,967,295.`}>
      <NumberInput
        value={seed ?? null}
        onValue={(value) => onSeed(value ?? undefined)}
        min={0}
        max={UINT32_MAX}
        placeholder={t`Random`}
        format={{ useGrouping: false, maximumFractionDigits: 0 }}
        aria-label={t`Seed`}
      />
      <WhyOff>{off}</WhyOff>
    </Field>
  );
}

const SLOTS = [0, 1, 2] as const;

/** The type of each reference in sending order: those of the shot, then those of its cast. */
function ReferenceTypes({ board, view: { shot } }: ViewProps) {
  const none = shot.source === 'references' ? undefined : t`This shot has no references.`;
  const off = useWhyOff()('referenceType') ?? none;
  return (
    <Field label={t`Reference type`} disabled={off !== undefined}>
      <span className="row">
        {SLOTS.map((index) => (
          <TextInput
            key={index}
            mono
            aria-label={t`Type of reference ${index + 1}`}
            placeholder={DEFAULT_REFERENCE_TYPE}
            maxLength={40}
            value={ownTypeAt(shot, index)}
            onValue={(type) => board.sync.edit(patchShot(shot.id, { referenceType: withType(shot, index, type) }))}
          />
        ))}
      </span>
      <WhyOff>{off}</WhyOff>
    </Field>
  );
}

/** Why a setting is off: the active gateway does not support it. */
export function useWhyOff(): (field: OmittableField) => string | undefined {
  const profile = useActiveProfile();
  return (field) =>
    profile?.omittedFields.includes(field)
      ? t`${profile.name} does not take ${spelled(field, profile)} (Settings, API format).`
      : undefined;
}

/** The request body in the active gateway's API format. */
function Sent({ board, view }: ViewProps) {
  const [isOpen, setOpen] = useState(false);
  const profile = useActiveProfile();
  if (!profile) return null;
  const body = () => wouldBeSent(linkedShot(board, view), board.board?.cast, profile);
  return (
    <details className={styles.moreSettings} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{t`Request preview`}</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
        <section aria-label={t`Request preview`} className={styles.sent} tabIndex={0}>
          <pre className="mono">{JSON.stringify(body(), null, 2)}</pre>
        </section>
      )}
    </details>
  );
}
