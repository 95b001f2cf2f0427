import { type BatchFormat, type BatchRow, NAME_ONCE } from '../../../../shared/batch.ts';
import { IMAGE_MODES } from '../../../../shared/kinds/imagine.ts';
import { allKinds, kindOf, modelsFor } from '../../../../shared/kinds/index.ts';
import { EXTENSION_SECONDS, GENERATION_SECONDS } from '../../../../shared/kinds/video.ts';
import type { Reason } from '../../../../shared/result.ts';
import { t } from '../../../../shared/texts.ts';
import { withLastNames, withoutField, withValue } from './batchText.ts';

/** What mends a wrong cell: the values it may have, or to go on without it. */

export interface Cure {
  label: string;
  /** The text with it done. */
  apply: (text: string) => string;
}

interface Context {
  format: BatchFormat;
  models: readonly { kind: string; id: string }[];
}

/** More models than these are typed. */
const MOST_MODELS = 3;

export function curesOf(row: BatchRow, { field, message }: Reason, { format, models }: Context): Cure[] {
  const { line, cells = {} } = row;
  const at = { line, field };
  if (message === NAME_ONCE) return [{ label: t`Keep the last one`, apply: (text) => withLastNames(text, line) }];
  if (format === 'csv' && line === 1)
    return field === '' ? [] : [{ label: t`Leave the column out`, apply: (text) => withoutField(text, format, at) }];
  const isThere = field in cells;
  const setTo = (value: string): Cure => ({
    label: value === '' ? (isThere ? t`Leave it empty` : t`Leave it open`) : value,
    apply: (text) => withValue(text, format, at, value),
  });
  if (!isThere) return format === 'jsonl' && field !== '' ? valuesOf(field, cells, models).map(setTo) : [];
  return valuesOf(field, cells, models).map(setTo);
}

const SECONDS: readonly number[] = GENERATION_SECONDS;
const CHOICES: Readonly<Record<string, readonly string[]>> = {
  resolution: ['720p', '1080p'],
  aspect: ['16:9', '9:16'],
  audio: ['true', 'false'],
  samples: ['1', '2', '3', '4'],
  mode: IMAGE_MODES,
  night: ['true', 'false'],
};

function valuesOf(
  field: string,
  cells: Readonly<Record<string, string>>,
  models: Context['models'],
): readonly string[] {
  const kind = allKinds().find(({ name }) => name === cells.kind?.trim().toLowerCase());
  if (field === 'kind') return allKinds().map(({ name }) => name);
  if (field === 'prompt') return [];
  const columns: Readonly<Partial<Record<string, string>>> | undefined = kind?.table.columns;
  if (columns && !(field in columns) && field !== 'night') return [''];
  if (field === 'model')
    return kind
      ? modelsFor(kindOf(kind.name), models)
          .slice(0, MOST_MODELS)
          .map(({ id }) => id)
      : [];
  if (field === 'seconds') return (cells.video?.trim() ? [EXTENSION_SECONDS] : SECONDS).map(String);
  return CHOICES[field] ?? [''];
}
