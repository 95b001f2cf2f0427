import { SHOT_SOURCES } from '../../../../shared/board.ts';
import { EXTENSION_SECONDS, GENERATION_SECONDS } from '../../../../shared/kinds/video.ts';
import { t } from '../../../../shared/texts.ts';
import { type ListFormat, withCell, withoutColumn, withoutLines } from './listText.ts';

/** What mends a wrong cell: the values it may have, or to go on without it. */

export interface ListCure {
  label: string;
  /** The list with it done. */
  apply: (text: string) => string;
}

interface Wrong {
  line: number;
  field: string;
  cells: Readonly<Record<string, string>> | undefined;
}

/** More models than these are chosen in the inspector. */
const MOST_MODELS = 3;

export function curesOf(
  { line, field, cells }: Wrong,
  { format, models }: { format: ListFormat; models: readonly string[] },
): ListCure[] {
  const leaveOut = {
    label: t`Leave line ${line} out`,
    apply: (text: string) => withoutLines(text, format, new Set([line])),
  };
  if (format === 'csv' && line === 1)
    return field === '' || field === 'prompt'
      ? []
      : [{ label: t`Leave the column out`, apply: (text) => withoutColumn(text, field) }];
  const values = cells && field in cells ? valuesOf(field, cells, models) : [];
  const setTo = (value: string): ListCure => ({
    label: value === '' ? t`Leave it open` : value,
    apply: (text) => withCell(text, line, field, value),
  });
  return [...values.map(setTo), leaveOut];
}

function valuesOf(
  field: string,
  cells: Readonly<Record<string, string>>,
  models: readonly string[],
): readonly string[] {
  switch (field) {
    case 'seconds':
      return (cells.source?.trim().toLowerCase() === 'extend' ? [EXTENSION_SECONDS] : GENERATION_SECONDS).map(String);
    case 'model':
      return models.slice(0, MOST_MODELS);
    case 'resolution':
      return ['720p', '1080p'];
    case 'aspect':
      return ['16:9', '9:16'];
    case 'audio':
      return ['true', 'false'];
    case 'source':
      return SHOT_SOURCES;
    case 'seed':
    case 'number':
      return [''];
    default:
      return [];
  }
}
