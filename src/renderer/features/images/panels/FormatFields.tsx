import type { ProfileModel } from '../../../../shared/gateway/profile.ts';
import { KINDS, modelsFor } from '../../../../shared/kinds/index.ts';
import { t } from '../../../../shared/text/texts.ts';
import { type ImageFamily, imageFamily } from '../../../../shared/wire/families/index.ts';
import type { ImageOptions } from '../../../../shared/wire/image.ts';
import { protocolsOf } from '../../../../shared/wire/protocols.ts';
import { useActiveProfile } from '../../../app/index.ts';
import { Field, NumberInput, Select } from '../../../ui/index.ts';
import { useImages } from '../useImages.ts';

export interface ImageFormat {
  family: ImageFamily;
  models: readonly ProfileModel[];
  /** The chosen options that the format supports. */
  options: ImageOptions;
}

/** The API format for pictures; undefined for image tasks, whose options are flags of the prompt (spec 2.6). */
export function useImageFormat(): ImageFormat | undefined {
  const profile = useActiveProfile();
  const { options } = useImages();
  const family = profile && imageFamily(protocolsOf(profile).image);
  if (!family) return undefined;
  const models = modelsFor(KINDS.imagine, profile.models);
  const model = models.find(({ id }) => id === options.model)?.id ?? models[0]?.id;
  const { size, quality, n } = options;
  return {
    family,
    models,
    options: {
      ...(model === undefined ? {} : { model }),
      ...(size !== undefined && family.sizes.includes(size) ? { size } : {}),
      ...(quality !== undefined && family.qualities.includes(quality) ? { quality } : {}),
      ...(n !== undefined && n > 1 && n <= family.variations ? { n } : {}),
    },
  };
}

const DEFAULT = 'default';

export function FormatFields({ family, models, options }: ImageFormat) {
  const set = (patch: { [Name in keyof ImageOptions]?: ImageOptions[Name] | undefined }) =>
    useImages.setState((state) => ({
      options: Object.fromEntries(
        Object.entries({ ...state.options, ...patch }).filter(([, value]) => value !== undefined),
      ),
    }));
  const choice = (label: string, field: 'size' | 'quality', values: readonly string[]) =>
    values.length > 0 && (
      <Field label={label}>
        <Select
          aria-label={label}
          options={[{ value: DEFAULT, label: t`Default` }, ...values.map((value) => ({ value, label: value }))]}
          value={options[field] ?? DEFAULT}
          onValue={(value) => set({ [field]: value === DEFAULT ? undefined : value })}
        />
      </Field>
    );
  return (
    <>
      <Field label={t`Model`} hint={models.length === 0 ? t`Add an image model to the gateway` : undefined}>
        <Select
          aria-label={t`Model`}
          options={models.map(({ id, label }) => ({ value: id, label: label ?? id }))}
          value={options.model ?? ''}
          onValue={(model) => set({ model })}
        />
      </Field>
      {choice(t`Size`, 'size', family.sizes)}
      {choice(t`Quality`, 'quality', family.qualities)}
      {family.variations > 1 && (
        <Field label={t`Number`}>
          <NumberInput
            aria-label={t`Number`}
            value={options.n ?? 1}
            onValue={(n) => set({ n: n ?? undefined })}
            min={1}
            max={family.variations}
          />
        </Field>
      )}
    </>
  );
}
