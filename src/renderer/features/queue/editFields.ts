import { IMAGE_MODES } from '../../../shared/kinds/imagine.ts';
import type { AnyRequest, Kind, RequestColumn } from '../../../shared/kinds/kind.ts';
import { EXTENSION_SECONDS, GENERATION_SECONDS } from '../../../shared/kinds/video.ts';
import { t } from '../../../shared/texts.ts';

/** How a field is filled in. */
type EditInput =
  | { type: 'text' }
  | { type: 'number' }
  | { type: 'model' }
  | { type: 'choice'; values: readonly (string | number | boolean)[] };

export interface EditField {
  /** Where it stands in the request: `config.seed`. */
  path: string;
  label: string;
  input: EditInput;
}

const choice = (...values: readonly (string | number | boolean)[]): EditInput => ({ type: 'choice', values });

/** The columns of a table of requests that can be filled in here; pictures are chosen where the request is made. */
const INPUTS: Partial<Record<RequestColumn, { label: string; input: EditInput }>> = {
  prompt: { label: t`Words`, input: { type: 'text' } },
  model: { label: t`Model`, input: { type: 'model' } },
  mode: { label: t`Mode`, input: choice(...IMAGE_MODES) },
  seconds: { label: t`Seconds`, input: choice(...GENERATION_SECONDS, EXTENSION_SECONDS) },
  resolution: { label: t`Resolution`, input: choice('720p', '1080p') },
  aspect: { label: t`Aspect`, input: choice('16:9', '9:16') },
  audio: { label: t`Sound`, input: choice(true, false) },
  samples: { label: t`Clips`, input: choice(1, 2, 3, 4) },
  seed: { label: t`Seed`, input: { type: 'number' } },
  timeout: { label: t`Timeout, s`, input: { type: 'number' } },
};

/** The fields of a request of this kind, in the order of its table; of the lengths only those that it may have. */
export function editFields(kind: Pick<Kind, 'table'>, request: AnyRequest): EditField[] {
  const isExtension = fieldAt(request, kind.table.columns.video ?? '') !== undefined;
  return Object.entries(kind.table.columns).flatMap(([column, path]) => {
    const known = INPUTS[column as RequestColumn];
    if (!known) return [];
    const lengths = choice(...(isExtension ? [EXTENSION_SECONDS] : GENERATION_SECONDS));
    return [{ path, label: known.label, input: column === 'seconds' ? lengths : known.input }];
  });
}

export const fieldAt = (request: object, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (value, key) => (typeof value === 'object' && value ? (value as Fields)[key] : undefined),
      request,
    );

type Fields = Record<string, unknown>;

/** The request with another value at a place; without one, the field is left out. */
export function withField(request: object, path: string, value: unknown): object {
  const [key = '', ...rest] = path.split('.');
  const fields = request as Fields;
  if (rest.length > 0) return { ...fields, [key]: withField((fields[key] as object) ?? {}, rest.join('.'), value) };
  const { [key]: _gone, ...others } = fields;
  return value === undefined ? others : { ...others, [key]: value };
}
