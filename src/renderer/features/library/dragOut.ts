import type { DragEvent } from 'react';
import type { Asset } from '../../../shared/asset.ts';
import { fileNameOf } from '../../../shared/fileNames.ts';
import { useEntities } from '../../app/index.ts';
import { downloadUrl } from '../../client/index.ts';

/** Ends of names that are not what the type says behind its `/`. */
const ENDS: Readonly<Record<string, string>> = {
  'image/jpeg': 'jpg',
  'video/quicktime': 'mov',
  'video/x-matroska': 'mkv',
  'audio/mpeg': 'mp3',
  'audio/mp4': 'm4a',
};

/** The name of its file where it is dropped: it works on every system. */
export function droppedName({ name, mime }: Pick<Asset, 'name' | 'mime'>): string {
  const end = ENDS[mime] ?? mime.split('/').at(-1) ?? 'bin';
  const plain = fileNameOf(name, 'file');
  return plain.toLowerCase().endsWith(`.${end}`) ? plain : `${plain}.${end}`;
}

/**
 * A tile or a row that is dragged out of the window takes its file along: Chromium saves what `DownloadURL` names where it is dropped, and
 * asks for it with the key of this page.
 */
export function dragOut(event: DragEvent<HTMLElement>): void {
  const dragged = event.target instanceof Element ? event.target.closest('[id^="asset-"]') : null;
  const asset = useEntities.getState().assets.get(dragged?.id.slice('asset-'.length) ?? '');
  if (asset?.state !== 'local') return;
  const address = new URL(downloadUrl(asset.id), window.location.href).href;
  event.dataTransfer.effectAllowed = 'copy';
  event.dataTransfer.setData('DownloadURL', `${asset.mime}:${droppedName(asset)}:${address}`);
}
