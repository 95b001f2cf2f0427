import { createHash } from 'node:crypto';
import type { CallParsed } from '../../../shared/contract/contract.ts';
import type { BatchRow } from '../../../shared/jobs/batch.ts';

/** One turn of the event loop adds no more rows than this. */
const ROWS_PER_TURN = 200;
/** In characters. */
const TEXT_PER_TURN = 500_000;

/**
 * The id of a text that was read: the same for what orders the same, so that a text which is read anew, after an answer was lost, is still
 * known for the one that was ordered. All that decides what is ordered is in it, also what the text only names: a project, or the model
 * of a line without one. Prices are not, nor what is worth knowing of a line.
 */
export async function readIdOf(
  { profileId, input, rows }: { profileId: string; input: CallParsed<'batch.read'>; rows: readonly BatchRow[] },
  nextTurn: () => Promise<unknown>,
): Promise<string> {
  const { text, format, defaults = {}, leaveOut = [] } = input;
  const hash = createHash('sha256');
  const names = [profileId, format, Object.entries(defaults).sort(), [...new Set(leaveOut)].sort(), text.length];
  hash.update(JSON.stringify(names));
  for (let from = 0; from < text.length; from += TEXT_PER_TURN) {
    hash.update(text.slice(from, from + TEXT_PER_TURN));
    await nextTurn();
  }
  for (const [index, { line, request, projectId, night, isLeftOut }] of rows.entries()) {
    if (index % ROWS_PER_TURN === ROWS_PER_TURN - 1) await nextTurn();
    hash.update(JSON.stringify([line, request, projectId, night, isLeftOut]));
  }
  return `read_${hash.digest('hex').slice(0, 40)}`;
}
