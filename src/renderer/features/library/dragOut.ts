import type { DragEvent, PointerEvent } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { exportedName } from '../../../shared/exportedName.ts';
import { showRefusal, useEntities } from '../../app/index.ts';
import { downloadUrl, dragByHost } from '../../client/index.ts';

const assetAt = (target: EventTarget): Asset | undefined => {
  const tile = target instanceof Element ? target.closest('[id^="asset-"]') : null;
  const asset = useEntities.getState().assets.get(tile?.id.slice('asset-'.length) ?? '');
  return asset?.state === 'local' ? asset : undefined;
};

/** What is pressed may be dragged: the host makes its copy, so that the drag begins at once. */
export function dragReady({ button, target }: PointerEvent<HTMLElement>): void {
  const drag = dragByHost();
  const asset = button === 0 && drag ? assetAt(target) : undefined;
  if (!drag || !asset) return;
  void drag('ready', asset.id);
}

/**
 * A tile or a row that is dragged out of the window takes its file along. In the desktop window its host drags a copy; in a browser Chromium
 * saves what `DownloadURL` names where it is dropped, and asks for it with the key of this page.
 */
export function dragOut(event: DragEvent<HTMLElement>): void {
  const asset = assetAt(event.target);
  if (!asset) return;
  const drag = dragByHost();
  if (drag) {
    event.preventDefault();
    window.addEventListener('pointerup', () => void drag('end', asset.id), { once: true });
    void drag('start', asset.id).then((answer) => {
      if (!answer.ok) showRefusal(answer.error);
    });
    return;
  }
  const address = new URL(downloadUrl(asset.id), window.location.href).href;
  event.dataTransfer.effectAllowed = 'copy';
  event.dataTransfer.setData('DownloadURL', `${asset.mime}:${exportedName(asset)}:${address}`);
}
