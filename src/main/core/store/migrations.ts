import { foundation } from './migrations/0001-foundation.ts';
import { night } from './migrations/0002-night.ts';
import { downloadState } from './migrations/0003-download-state.ts';
import { stated } from './migrations/0004-stated.ts';
import { revisions } from './migrations/0005-revisions.ts';
import { play } from './migrations/0006-play.ts';
import { listed } from './migrations/0007-listed.ts';
import { mismatches } from './migrations/0008-mismatches.ts';
import { refusals } from './migrations/0009-refusals.ts';
import { remembered } from './migrations/0010-remembered.ts';
import { shortOfMoney } from './migrations/0011-short-of-money.ts';
import { ended } from './migrations/0012-ended.ts';
import { unpricedConversations } from './migrations/0013-unpriced-conversations.ts';
import { facets } from './migrations/0014-facets.ts';
import { boardContent } from './migrations/0015-board-content.ts';
import { exports } from './migrations/0016-exports.ts';
import { mediaMeasures } from './migrations/0017-media-measures.ts';
import { requestKeys } from './migrations/0018-request-keys.ts';
import { batches } from './migrations/0019-batches.ts';
import { exportParts } from './migrations/0020-export-parts.ts';
import { nightPlans } from './migrations/0021-night-plans.ts';
import { manyJobs } from './migrations/0022-many-jobs.ts';
import { editedRequests } from './migrations/0023-edited-requests.ts';
import { sentRequests } from './migrations/0024-sent-requests.ts';
import { capReading } from './migrations/0025-cap-reading.ts';
import { jobCounts } from './migrations/0026-job-counts.ts';
import { attemptKeys } from './migrations/0027-attempt-keys.ts';
import { ledgerSums } from './migrations/0028-ledger-sums.ts';
import { textSearch } from './migrations/0029-text-search.ts';
import { assetOrder } from './migrations/0030-asset-order.ts';
import { elsewhere } from './migrations/0031-elsewhere.ts';
import { chatTitles } from './migrations/0032-chat-titles.ts';
import { openWork } from './migrations/0033-open-work.ts';
import { jobInputs } from './migrations/0034-job-inputs.ts';
import { assetMarks } from './migrations/0035-asset-marks.ts';
import { ledgerMonths } from './migrations/0036-ledger-months.ts';
import { branches } from './migrations/0037-branches.ts';
import { contentIndex } from './migrations/0038-content-index.ts';
import { assetCostLow } from './migrations/0039-asset-cost-low.ts';
import { maskDrafts } from './migrations/0040-mask-drafts.ts';
import { director } from './migrations/0041-director.ts';
import { libraryMoves } from './migrations/0042-library-moves.ts';
import { evidence } from './migrations/0043-evidence.ts';
import { statements } from './migrations/0044-statements.ts';
import { messagePictures } from './migrations/0045-message-pictures.ts';
import { billedLines } from './migrations/0046-billed-lines.ts';
import { jobsElsewhere } from './migrations/0047-jobs-elsewhere.ts';
import { quotes } from './migrations/0048-quotes.ts';
import { settling } from './migrations/0049-settling.ts';
import { openJobs } from './migrations/0050-open-jobs.ts';
import { assetCounts } from './migrations/0051-asset-counts.ts';
import { assetDays } from './migrations/0052-asset-days.ts';
import { doubtSums } from './migrations/0053-doubt-sums.ts';
import { blocks } from './migrations/0054-blocks.ts';
import { linesOfJobs } from './migrations/0055-lines-of-jobs.ts';
import { namesOfRows } from './migrations/0056-names-of-rows.ts';
import { progress } from './migrations/0057-progress.ts';
import { doubtOfConversations } from './migrations/0058-doubt-of-conversations.ts';
import { deletedFrames } from './migrations/0059-deleted-frames.ts';
import { omittedFields } from './migrations/0060-omitted-fields.ts';
import { confirmedPrices } from './migrations/0061-confirmed-prices.ts';
import { trims } from './migrations/0062-trims.ts';

export interface Migration {
  version: number;
  name: string;
  ddl: string;
}

/** Every migration there is, in order. A released one is never changed; a change is a new one. */
export const MIGRATIONS: readonly Migration[] = [
  { version: 1, name: 'foundation', ddl: foundation },
  { version: 2, name: 'night', ddl: night },
  { version: 3, name: 'downloadState', ddl: downloadState },
  { version: 4, name: 'stated', ddl: stated },
  { version: 5, name: 'revisions', ddl: revisions },
  { version: 6, name: 'play', ddl: play },
  { version: 7, name: 'listed', ddl: listed },
  { version: 8, name: 'mismatches', ddl: mismatches },
  { version: 9, name: 'refusals', ddl: refusals },
  { version: 10, name: 'remembered', ddl: remembered },
  { version: 11, name: 'shortOfMoney', ddl: shortOfMoney },
  { version: 12, name: 'ended', ddl: ended },
  { version: 13, name: 'unpricedConversations', ddl: unpricedConversations },
  { version: 14, name: 'facets', ddl: facets },
  { version: 15, name: 'boardContent', ddl: boardContent },
  { version: 16, name: 'exports', ddl: exports },
  { version: 17, name: 'mediaMeasures', ddl: mediaMeasures },
  { version: 18, name: 'requestKeys', ddl: requestKeys },
  { version: 19, name: 'batches', ddl: batches },
  { version: 20, name: 'exportParts', ddl: exportParts },
  { version: 21, name: 'nightPlans', ddl: nightPlans },
  { version: 22, name: 'manyJobs', ddl: manyJobs },
  { version: 23, name: 'editedRequests', ddl: editedRequests },
  { version: 24, name: 'sentRequests', ddl: sentRequests },
  { version: 25, name: 'capReading', ddl: capReading },
  { version: 26, name: 'jobCounts', ddl: jobCounts },
  { version: 27, name: 'attemptKeys', ddl: attemptKeys },
  { version: 28, name: 'ledgerSums', ddl: ledgerSums },
  { version: 29, name: 'textSearch', ddl: textSearch },
  { version: 30, name: 'assetOrder', ddl: assetOrder },
  { version: 31, name: 'elsewhere', ddl: elsewhere },
  { version: 32, name: 'chatTitles', ddl: chatTitles },
  { version: 33, name: 'openWork', ddl: openWork },
  { version: 34, name: 'jobInputs', ddl: jobInputs },
  { version: 35, name: 'assetMarks', ddl: assetMarks },
  { version: 36, name: 'ledgerMonths', ddl: ledgerMonths },
  { version: 37, name: 'branches', ddl: branches },
  { version: 38, name: 'contentIndex', ddl: contentIndex },
  { version: 39, name: 'assetCostLow', ddl: assetCostLow },
  { version: 40, name: 'maskDrafts', ddl: maskDrafts },
  { version: 41, name: 'director', ddl: director },
  { version: 42, name: 'libraryMoves', ddl: libraryMoves },
  { version: 43, name: 'evidence', ddl: evidence },
  { version: 44, name: 'statements', ddl: statements },
  { version: 45, name: 'messagePictures', ddl: messagePictures },
  { version: 46, name: 'billedLines', ddl: billedLines },
  { version: 47, name: 'jobsElsewhere', ddl: jobsElsewhere },
  { version: 48, name: 'quotes', ddl: quotes },
  { version: 49, name: 'settling', ddl: settling },
  { version: 50, name: 'openJobs', ddl: openJobs },
  { version: 51, name: 'assetCounts', ddl: assetCounts },
  { version: 52, name: 'assetDays', ddl: assetDays },
  { version: 53, name: 'doubtSums', ddl: doubtSums },
  { version: 54, name: 'blocks', ddl: blocks },
  { version: 55, name: 'linesOfJobs', ddl: linesOfJobs },
  { version: 56, name: 'namesOfRows', ddl: namesOfRows },
  { version: 57, name: 'progress', ddl: progress },
  { version: 58, name: 'doubt-of-conversations', ddl: doubtOfConversations },
  { version: 59, name: 'deleted-frames', ddl: deletedFrames },
  { version: 60, name: 'omitted-fields', ddl: omittedFields },
  { version: 61, name: 'confirmed-prices', ddl: confirmedPrices },
  { version: 62, name: 'trims', ddl: trims },
];
