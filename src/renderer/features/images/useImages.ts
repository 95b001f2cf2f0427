import { useEffect, useMemo } from 'react';
import { create } from 'zustand';
import { escapePrompt } from '../../../shared/jobs/promptMatrix.ts';
import { kindOf, kindsWhere } from '../../../shared/kinds/index.ts';
import type { Kind } from '../../../shared/kinds/kind.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import { promptFound } from '../../../shared/library/provenance.ts';
import { isBlank } from '../../../shared/text/nulCharacters.ts';
import { t } from '../../../shared/text/texts.ts';
import type { ImageOptions } from '../../../shared/wire/image.ts';
import {
  announceReplaced,
  cacheAssets,
  keepCached,
  replaceParams,
  useAsset,
  useCall,
  useEntities,
  useEvent,
  useListedJobs,
  useProjectId,
  useRoute,
} from '../../app/index.ts';
import { emptyHistory, type MaskHistory, type PainterOptions } from '../../canvas/index.ts';
import { keep, readKept } from '../../client/index.ts';
import { type Read, toast } from '../../ui/index.ts';
import { familyOf, type Picture, picturesOf } from './model/gallery.ts';

/** The state of the page. Prompts and masks live as long as the window, so that leaving the page loses nothing. */
interface ImagesView {
  tab: 'imagine' | 'edit';
  assetId: string | undefined;
  strip: 'family' | 'all';
  /** How an edit is shown beside its original. */
  view: EditView;
  /** Up to four pictures to compare, and whether they are being compared. */
  compared: readonly string[];
  isOverlayHidden: boolean;
  /** In a window of 1024 px one side panel is a drawer. */
  isDrawerOpen: boolean;
  prompt: string;
  /** Excluded prompts, by index; valid only for this exact text. */
  leftOut: { prompt: string; indexes: ReadonlySet<number> };
  mode: 'fast' | 'relax' | 'turbo';
  /** Options of API formats that have them. */
  options: ImageOptions;
  editPrompt: string;
  timeout: number | null;
  /** Width of the soft edge when the original is restored outside, in picture pixels. */
  feather: number;
  painter: PainterOptions;
  hand: { readonly isBusy: boolean } | undefined;
  /** The selected shape of the mask, by its index in the list of steps. */
  chosen: number | undefined;
  masks: Readonly<Record<string, MaskHistory>>;
  /** The last job sent from here. Its picture opens when ready, unless another one was opened meanwhile. */
  awaited: string | undefined;
  /** The last edit that was sent; its outcome is shown where it was sent. */
  sentEdit: string | undefined;
}

export type EditView = 'result' | 'original' | 'slider' | 'changed';

type Prompts = Pick<ImagesView, 'prompt' | 'editPrompt'>;

/** Storage key of the prompts, which outlive a reload of this window. */
const PLACE = 'dailies.images';

export const useImages = create<ImagesView>()(() => ({
  tab: 'imagine',
  assetId: undefined,
  strip: 'all',
  view: 'result',
  compared: [],
  isOverlayHidden: false,
  isDrawerOpen: false,
  prompt: '',
  leftOut: { prompt: '', indexes: new Set() },
  mode: 'fast',
  options: {},
  editPrompt: '',
  timeout: 300,
  feather: 2,
  painter: { tool: 'brush', op: 'add', brush: 64, overlay: 0.5 },
  hand: undefined,
  chosen: undefined,
  masks: {},
  awaited: undefined,
  sentEdit: undefined,
  ...(readKept('sessionStorage', PLACE) as Partial<Prompts> | undefined),
}));

useImages.subscribe((now, before) => {
  const { prompt, editPrompt } = now;
  if (prompt !== before.prompt || editPrompt !== before.editPrompt)
    keep('sessionStorage', PLACE, { prompt, editPrompt });
});

export const openPicture = (assetId: string, view: EditView = 'result'): void =>
  useImages.setState({ assetId, view, awaited: undefined, chosen: undefined });

type Words = Pick<ImagesView, 'prompt'> | Pick<ImagesView, 'editPrompt'>;

export const OUTCOME = { prompt: 'image prompt', editPrompt: 'edit prompt', mask: 'mask' } as const;

/** Puts a prompt into its box with its other settings, and opens its picture (`picture`). The previous text can be restored. */
export function recallWords(
  words: Words & Partial<Pick<ImagesView, 'tab' | 'mode'>>,
  { picture, done = t`Prompt loaded` }: { picture?: string; done?: string } = {},
): void {
  const now = useImages.getState();
  const { assetId, view, chosen } = now;
  const fields = Object.keys(words) as (keyof typeof words)[];
  const before = Object.fromEntries(fields.map((field) => [field, now[field]]));
  const [written, wanted] = 'prompt' in words ? [now.prompt, words.prompt] : [now.editPrompt, words.editPrompt];
  useImages.setState(words);
  if (picture !== undefined) openPicture(picture);
  const isLost = !isBlank(written) && written !== wanted;
  const field = 'prompt' in words ? 'prompt' : 'editPrompt';
  const giveBack = () => {
    // A picture that was opened since then stays open.
    const isOpen = picture !== undefined && useImages.getState().assetId === picture;
    useImages.setState(isOpen ? { ...before, assetId, view, chosen } : before);
  };
  const close = announceReplaced(OUTCOME[field], done, isLost ? giveBack : undefined);
  const stop = useImages.subscribe((state) => {
    if (state[field] === wanted) return;
    stop();
    close();
  });
}

/**
 * Called before a picture that arrives late, such as an import. The returned function opens it, unless another picture was opened or
 * something was painted meanwhile: a picture must not change under the brush. A message (`said`) then offers it.
 */
export function lateOpening(said: string): (assetId: string) => void {
  const { assetId, tab, masks } = useImages.getState();
  return (late) => {
    const now = useImages.getState();
    const isElsewhere = (assetId !== undefined && now.assetId !== assetId) || now.tab !== tab;
    if (!isElsewhere && now.masks === masks && !now.hand?.isBusy) return openPicture(late);
    if (now.assetId !== late) toast({ text: said, action: { label: t`Open`, onAction: () => openPicture(late) } });
  };
}

export const setPainter = (patch: Partial<PainterOptions>): void =>
  useImages.setState(({ painter }) => ({ painter: { ...painter, ...patch } }));

/** The mask of a picture; empty if nothing was painted yet. */
export function useMask(
  asset: Asset | undefined,
): [MaskHistory, (change: (history: MaskHistory) => MaskHistory) => void] {
  const known = useImages((state) => (asset ? state.masks[asset.id] : undefined));
  const blank = useMemo(() => emptyHistory(asset?.width ?? 1, asset?.height ?? 1), [asset?.width, asset?.height]);
  const change = (edit: (history: MaskHistory) => MaskHistory) => {
    if (!asset) return;
    useImages.setState(({ masks }) => ({ masks: { ...masks, [asset.id]: edit(masks[asset.id] ?? blank) } }));
  };
  return [known ?? blank, change];
}

export interface Gallery {
  pictures: Picture[];
  family: Picture[];
  asset: Asset | undefined;
  read: Read<never>;
  total: number;
}

const NONE: never[] = [];
const MOST_IMPORTED = 60;

const isShown = ({ gallery }: Kind): boolean => gallery === 'images';

/** The project's pictures, updated by events, and the open one. */
export function useGallery(): Gallery {
  const projectId = useProjectId();
  const list = useCall('jobs.list', { kinds: kindsWhere(isShown), limit: 60, ...(projectId ? { projectId } : {}) });
  const listed = list.data?.jobs ?? NONE;
  useEvent('job.changed', ({ job }) => {
    if (isShown(kindOf(job)) && !listed.some(({ id }) => id === job.id)) list.reload();
  });
  const imports = useImported();
  const { jobs, assets } = useEntities();
  const made = useListedJobs(listed);
  const pictures = useMemo(() => picturesOf(made, imports, assets), [made, imports, assets]);
  useRecalled();
  const chosen = useChosen(pictures);
  const asset = useAsset(chosen);
  const family = useMemo(() => {
    const ids = chosen ? familyOf(chosen, jobs, imports) : new Set<string>();
    return pictures.filter((picture) => picture.asset && ids.has(picture.asset.id));
  }, [pictures, chosen, jobs, imports]);
  return {
    pictures,
    family,
    asset,
    read: { error: list.error, loading: list.loading, reload: list.reload },
    total: list.data?.total ?? 0,
  };
}

/** Imported pictures belong to no project. */
function useImported(): readonly Asset[] {
  const list = useCall('library.list', { types: ['image'], roles: ['source'], limit: MOST_IMPORTED });
  const listed = list.data?.assets ?? NONE;
  useEffect(() => {
    cacheAssets(listed);
    return keepCached(listed.map(({ id }) => id));
  }, [listed]);
  useEvent('asset.changed', ({ asset }) => {
    if (asset.role === 'source' && !listed.some(({ id }) => id === asset.id)) list.reload();
  });
  return listed;
}

/** A prompt found in a file and chosen by the user fills the prompt box; nothing is sent. */
function useRecalled(): void {
  const { params } = useRoute();
  const id = params.get('recall') ?? undefined;
  const { data } = useCall('library.found', id === undefined ? null : { id });
  useEffect(() => {
    const prompt = id !== undefined && data ? promptFound(data) : undefined;
    if (prompt === undefined || id === undefined) return;
    recallWords({ tab: 'imagine', prompt: escapePrompt(prompt) }, { picture: id });
    replaceParams('images', { asset: id });
  }, [id, data]);
}

/** The open picture: the requested one, otherwise the newest. */
function useChosen(pictures: readonly Picture[]): string | undefined {
  const { params } = useRoute();
  useEffect(() => {
    const asked = params.get('asset');
    if (!asked) return;
    openPicture(asked);
    if (params.get('paint') === 'mask') useImages.setState({ tab: 'edit' });
  }, [params]);
  const { assetId, awaited, tab } = useImages();
  const arrived = pictures.find(
    ({ job, asset }) => awaited !== undefined && job?.id === awaited && asset?.state === 'local',
  )?.asset?.id;
  useEffect(() => {
    if (arrived && tab === 'imagine') openPicture(arrived);
  }, [arrived, tab]);
  // The open picture stays open: a later one must not replace it under the brush.
  const newest = pictures.find(({ asset }) => asset?.state === 'local')?.asset?.id;
  useEffect(() => {
    if (!assetId && newest) useImages.setState({ assetId: newest });
  }, [assetId, newest]);
  return assetId ?? newest;
}
