import type { Draft } from '../../../shared/chat/director/draft.ts';
import type { DraftRow } from './draftTable.ts';

/** As it was seen last, with what became of it. */
export const settled = ({ state, jobId }: DraftRow, draft: Draft): Draft => ({
  ...draft,
  state,
  ...(jobId === null ? {} : { jobId }),
});
