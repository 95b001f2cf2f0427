import type { Difference } from '../../../shared/jobs/difference.ts';
import { kindOf } from '../../../shared/kinds/index.ts';
import { MEDIA_CLASSES, type MediaClass, mediaTypeOf } from '../../../shared/library/mediaRef.ts';
import { listed, plural } from '../../../shared/text/texts.ts';
import { type AssetRow, assetRowsOfJob } from '../library/index.ts';
import type { ReadDb } from '../store/index.ts';
import type { Comparison } from './kinds/driver.ts';
import { taskDriverOf } from './kinds/index.ts';
import { type JobRow, requestOf } from './row.ts';

/** Compares the results of a job with its request, by the facts of the verified files. */
export function compareResults(db: ReadDb, row: JobRow): Comparison {
  const all = assetRowsOfJob(db, row.id);
  const here = all.filter(({ state }) => state === 'local');
  const compared = taskDriverOf(row)?.compare(db, row, requestOf(row), { all, here }) ?? { differs: [] };
  const { makes, most } = kindOf(row);
  const isOther = ({ mime }: AssetRow) => mime !== '' && mediaTypeOf(mime) !== makes;
  if (makes === 'text' || !here.some(isOther)) return compared;
  const requested = most(requestOf(row), { outputTokens: 0 }).videos ?? all.length;
  const others = compared.differs.filter(({ what }) => what !== 'count');
  return { ...compared, differs: [typeDifference(makes, requested, here), ...others] };
}

/** The charge stays: that the service made something else is not said to cost less. */
function typeDifference(makes: MediaClass, requested: number, here: readonly AssetRow[]): Difference {
  const types = [makes, ...MEDIA_CLASSES.filter((type) => type !== makes)];
  const made = types.flatMap((type) => {
    const count = here.filter(({ mime }) => mediaTypeOf(mime) === type).length;
    return count === 0 ? [] : [NOUNS[type](count)];
  });
  return { what: 'type', ordered: NOUNS[makes](requested), made: listed(made) };
}

const NOUNS: Readonly<Record<MediaClass, (count: number) => string>> = {
  image: (count) => plural(count, 'picture'),
  video: (count) => plural(count, 'clip'),
  audio: (count) => plural(count, 'sound'),
};
