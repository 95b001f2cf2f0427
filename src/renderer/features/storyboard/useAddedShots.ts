import { useEffect } from 'react';
import { MAX_SHOTS, type Shot } from '../../../shared/board/board.ts';
import { ok, type Result } from '../../../shared/contract/result.ts';
import type { Job } from '../../../shared/jobs/job.ts';
import { isRequestOf, KINDS } from '../../../shared/kinds/index.ts';
import type { VideoRequest } from '../../../shared/kinds/video.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { promptsFound } from '../../../shared/library/provenance.ts';
import { counted, t } from '../../../shared/text/texts.ts';
import { announce, cacheAssets, cacheJobs, replaceParams, useRoute } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { toast } from '../../ui/index.ts';
import { append, emptyShot } from './model/shots.ts';
import { type BoardHandle, selectShot } from './useBoard.ts';

/**
 * Items from another page become shots at the end, in one step; nothing is sent. Pictures and clips (`?add=ID,ID`), a clip to continue
 * (`?remix=ID`), or the prompt found in a clip (`?recall=ID`).
 */
export function useAddedShots({ board, sync }: BoardHandle, model: string): void {
  const { page, params } = useRoute();
  const [how, ids] = WAYS.map((way) => [way, params.get(way)] as const).find(([, given]) => given !== null) ?? [];
  const asked = page === 'storyboard' && ids ? ids : undefined;
  const isRead = board !== undefined;
  const count = board?.shots.length ?? 0;
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for is added once, whatever the board becomes.
  useEffect(() => {
    if (asked === undefined || !how || !isRead) return;
    replaceParams('storyboard', {});
    void SHOTS[how](asked, model).then((found) => {
      const shots = found.flatMap((one) => (one.ok && one.data) || []);
      const [first] = shots;
      if (!first) return void toast({ kind: 'fail', text: whyNone(found) });
      if (count + shots.length > MAX_SHOTS)
        return void toast({ kind: 'fail', text: t`A film has at most ${MAX_SHOTS} shots.` });
      sync.edit(append(shots));
      selectShot(first.id);
      announce(t`${counted(shots.length, 'shot')} added from the library`);
    });
  }, [asked, how, isRead]);
}

/** The result for one item: its shot, undefined if it cannot become one, or why it could not be read. */
type Found = Result<Shot | undefined>;

function whyNone(found: readonly Found[]): string {
  const failed = found.find((one) => !one.ok);
  if (!failed) return t`None of these files can become a shot.`;
  return t`No shot was added. ${failed.error.message}`;
}

const SHOTS = {
  add: (ids: string, model: string) => Promise.all(ids.split(',').map((id) => shotOf(id, model, shotOfAsset))),
  remix: async (id: string, model: string) => [await shotOf(id, model, remixOf)],
  recall: recalledShots,
};
const WAYS = Object.keys(SHOTS) as (keyof typeof SHOTS)[];

async function recalledShots(id: string, model: string): Promise<Found[]> {
  const found = await call('library.found', { id });
  if (!found.ok) return [found];
  return promptsFound(found.data).map((prompt) => ok({ ...emptyShot(crypto.randomUUID(), model), prompt }));
}

async function shotOf(id: string, model: string, make: typeof shotOfAsset): Promise<Found> {
  const answer = await call('library.get', { id });
  if (!answer.ok) return answer;
  cacheAssets([answer.data]);
  return ok(make(crypto.randomUUID(), answer.data, await clipJob(answer.data), model));
}

/** Only clips are remade from their job's prompt. */
async function clipJob({ jobId, mime }: Asset) {
  if (jobId === undefined || !mime.startsWith('video/')) return undefined;
  const answer = await call('jobs.get', { id: jobId });
  if (!answer.ok) return undefined;
  cacheJobs([answer.data]);
  return answer.data;
}

/**
 * The shot for a library item: a picture becomes its first frame; a clip made here gives its prompt, settings and pictures; an imported
 * clip is extended. Undefined for anything else.
 */
function shotOfAsset(id: string, asset: Asset, job: Job | undefined, model: string): Shot | undefined {
  const request = job?.request;
  if (isRequestOf(KINDS.video, request)) return shotOfRequest(id, request);
  const shot = emptyShot(id, model);
  if (asset.mime.startsWith('image/')) return { ...shot, source: 'first', image: { assetId: asset.id } };
  if (asset.mime.startsWith('video/')) return { ...shot, source: 'extend', video: { assetId: asset.id } };
  return undefined;
}

/** Continues a clip with its job's prompt. */
function remixOf(id: string, asset: Asset, job: Job | undefined, model: string): Shot | undefined {
  if (!asset.mime.startsWith('video/')) return shotOfAsset(id, asset, job, model);
  const request = job?.request;
  const words = isRequestOf(KINDS.video, request) ? { model: request.model, prompt: request.prompt } : {};
  return { ...emptyShot(id, model), ...words, source: 'extend', video: { assetId: asset.id } };
}

function shotOfRequest(id: string, request: VideoRequest): Shot {
  const { kind: _, promotedFrom: __, cast: ___, referenceImages = [], config, ...rest } = request;
  const shot = emptyShot(id, request.model);
  return { ...shot, ...rest, referenceImages, config: config ?? shot.config, source: sourceOf(request) };
}

function sourceOf({ video, lastFrame, image, referenceImages }: VideoRequest): Shot['source'] {
  if (video) return 'extend';
  if (lastFrame) return 'firstLast';
  if (image) return 'first';
  return referenceImages ? 'references' : 'text';
}
