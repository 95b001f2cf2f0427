import { useEffect } from 'react';
import type { ImagineRequest } from '../../../shared/kinds/imagine.ts';
import { isRequestOf, KINDS, promptOf } from '../../../shared/kinds/index.ts';
import { escapePrompt } from '../../../shared/promptMatrix.ts';
import { replaceParams, useAsset, useEntities, useRoute, useWholeJob } from '../../app/index.ts';
import { editFacts } from './model/gallery.ts';
import { paintAgain } from './paintAgain.ts';
import { recallWords } from './useImages.ts';

/** A picture that was made here is opened with its words as it was made (`?remake=ID`), or to be edited with them (`?remix=ID`). */
export function useRemade(): void {
  const { params } = useRoute();
  const isRemix = params.has('remix');
  const asset = useAsset(params.get('remake') ?? params.get('remix') ?? undefined);
  const job = useWholeJob(asset?.jobId);
  useEffect(() => {
    const prompt = job && promptOf(job.request);
    if (!asset || !job || job.requestCut || prompt === undefined) return;
    const { request } = job;
    const edit = isRemix ? undefined : editFacts(job, useEntities.getState().jobs);
    if (edit) {
      let isWanted = true;
      void paintAgain(edit, () => isWanted).then((isOpen) => isOpen && replaceParams('images', { asset: edit.baseId }));
      return () => {
        isWanted = false;
      };
    }
    if (isRemix || isRequestOf(KINDS.edit, request))
      recallWords({ tab: 'edit', editPrompt: prompt }, { picture: asset.id });
    else {
      const mode = isRequestOf(KINDS.imagine, request) ? modeOf(request) : {};
      recallWords({ tab: 'imagine', prompt: escapePrompt(prompt), ...mode }, { picture: asset.id });
    }
    replaceParams('images', { asset: asset.id });
  }, [asset, job, isRemix]);
}

const modeOf = ({ mode = 'fast' }: Pick<ImagineRequest, 'mode'>) => ({ mode });
