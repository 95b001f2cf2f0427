import { BUNDLE_ROLE, type UploadedBundle } from '../../../shared/bundle/calls.ts';
import type { Result } from '../../../shared/contract/result.ts';
import type { Asset } from '../../../shared/library/asset.ts';
import type { MediaUpload } from '../../core/ports.ts';
import type { Studio } from '../../core/studio.ts';

/** The parameters of an upload besides its name: task, role, source asset and checksum. */
export function uploadFields(fields: URLSearchParams): Pick<MediaUpload, 'taskId' | 'role' | 'parentId' | 'sha256'> {
  const [taskId, role, parentId, sha256] = ['task', 'role', 'parent', 'sha256'].map((name) => fields.get(name));
  return {
    ...(taskId ? { taskId } : {}),
    ...(typeof role === 'string' ? { role } : {}),
    ...(parentId ? { parentId } : {}),
    ...(sha256 ? { sha256 } : {}),
  };
}

/** Adds an upload to the library, or keeps it as a bundle. */
export const takeUpload = (studio: Studio, upload: MediaUpload): Promise<Result<Asset | UploadedBundle>> =>
  upload.role === BUNDLE_ROLE ? studio.media.receiveBundle(upload) : studio.media.upload(upload);
