import type { MediaUpload } from '../../core/ports.ts';

/** What the address of an upload says beside the name: its task, its role, and the asset that it was made from. */
export function uploadFields(fields: URLSearchParams): Pick<MediaUpload, 'taskId' | 'role' | 'parentId'> {
  const [taskId, role, parentId] = [fields.get('task'), fields.get('role'), fields.get('parent')];
  return {
    ...(taskId ? { taskId } : {}),
    ...(role === null ? {} : { role }),
    ...(parentId ? { parentId } : {}),
  };
}
