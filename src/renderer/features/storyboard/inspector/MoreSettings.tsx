import { useState } from 'react';
import { configOfShot, type Shot } from '../../../../shared/board.ts';
import type { OmittableField } from '../../../../shared/dialect.ts';
import { DEFAULT_REFERENCE_TYPE } from '../../../../shared/kinds/video.ts';
import type { MediaRef } from '../../../../shared/mediaRef.ts';
import { spelled } from '../../../../shared/wire/spelling.ts';
import { videoBody } from '../../../../shared/wire/video.ts';
import { useActiveProfile } from '../../../app/index.ts';
import { Field, Segmented, TextInput, WhyOff } from '../../../ui/index.ts';
import { patchConfig, patchShot } from '../model/shots.ts';
import type { BoardHandle } from '../useBoard.ts';

interface MoreProps {
  board: BoardHandle;
  shot: Shot;
}

const COUNTS = ['open', '1', '2', '3', '4'] as const;
const RATES = ['open', '24'] as const;
const labelled = (values: readonly string[]) =>
  values.map((value) => ({ value, label: value === 'open' ? 'Open' : value }));

/** The rest of what a request can say (spec 2.2, 2.3), and the request as it would be sent. What has no place stays, with the reason. */
export function MoreSettings({ board, shot }: MoreProps) {
  const whyOff = useWhyOff();
  const { config, source } = shot;
  const set = (patch: Partial<Shot['config']>) => board.sync.edit(patchConfig(shot.id, patch));
  const noReferences = source === 'references' ? undefined : 'Only references have a type; this shot has none.';
  const typeOff = whyOff('referenceType') ?? noReferences;
  return (
    <details className="more-settings">
      <summary>More settings</summary>
      <div className="col gap">
        <Field label="Frame rate" hint="a second" disabled={whyOff('fps') !== undefined}>
          <Segmented
            full
            aria-label="Frame rate"
            disabled={whyOff('fps') !== undefined}
            options={labelled(RATES)}
            value={config.fps === undefined ? 'open' : String(config.fps)}
            onValue={(fps) => set({ fps: fps === 'open' ? undefined : 24 })}
          />
          <WhyOff>{whyOff('fps')}</WhyOff>
        </Field>
        <Field label="Number of videos" hint="as candidates; the higher counts">
          <Segmented
            full
            aria-label="Number of videos"
            disabled={whyOff('numberOfVideos') !== undefined}
            options={labelled(COUNTS)}
            value={String(config.numberOfVideos ?? 'open')}
            onValue={(count) => set({ numberOfVideos: count === 'open' ? undefined : Number(count) })}
          />
          <WhyOff>{whyOff('numberOfVideos')}</WhyOff>
        </Field>
        <Field label="Reference type" disabled={typeOff !== undefined}>
          <TextInput
            mono
            aria-label="Reference type"
            placeholder={DEFAULT_REFERENCE_TYPE}
            maxLength={40}
            value={shot.referenceType ?? ''}
            onValue={(type) =>
              board.sync.edit(patchShot(shot.id, { referenceType: type.trim() === '' ? undefined : type.trim() }))
            }
          />
          <WhyOff>{typeOff}</WhyOff>
        </Field>
        <Sent shot={shot} />
      </div>
    </details>
  );
}

/** Why a setting is off: the active gateway has no place for it. */
export function useWhyOff(): (field: OmittableField) => string | undefined {
  const profile = useActiveProfile();
  return (field) =>
    profile?.omittedFields.includes(field)
      ? `${profile.name} does not take ${spelled(field, profile)} (Settings, Dialect).`
      : undefined;
}

/** The body of the request in the active gateway's dialect; a picture goes by its link or as its bytes, which only sending decides. */
function Sent({ shot }: { shot: Shot }) {
  const [isOpen, setOpen] = useState(false);
  const profile = useActiveProfile();
  if (!profile) return null;
  const { source } = shot;
  const uriOf = (ref: MediaRef | undefined) => ref && ('uri' in ref ? ref.uri : '…');
  const form = {
    model: shot.model,
    prompt: shot.prompt,
    config: configOfShot(shot),
    referenceType: shot.referenceType,
    image: source === 'first' || source === 'firstLast' ? uriOf(shot.image) : undefined,
    lastFrame: source === 'firstLast' ? uriOf(shot.lastFrame) : undefined,
    referenceImages: source === 'references' ? shot.referenceImages.map((ref) => uriOf(ref) ?? '…') : undefined,
    videoUri: source === 'extend' ? uriOf(shot.video) : undefined,
  };
  return (
    <details className="more-settings" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>What would be sent</summary>
      {isOpen && (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys.
        <section aria-label="What would be sent" className="sent" tabIndex={0}>
          <pre className="mono">{JSON.stringify(videoBody(form, profile).body, null, 2)}</pre>
        </section>
      )}
    </details>
  );
}
