import { changeShotSchema, draftedImageSchema, draftedShotSchema } from '../../../shared/chat/director/tools.ts';
import { fail, ok, parseInput, type Result } from '../../../shared/contract/result.ts';
import type { Asked } from './draftTable.ts';

const patchSchema = changeShotSchema.omit({ shot: true });

/** A draft that asks for something else: only what is given changes, and it is judged like the first. */
export function askedAnew(asked: Asked, change: Record<string, unknown>): Result<Asked> {
  if (asked.kind === 'malformed') return fail('wrong_state', 'Nothing was drafted there; draft it anew.');
  const given = 'shot' in asked ? asked.shot : 'patch' in asked ? asked.patch : asked.image;
  const config = { ...('config' in given ? given.config : {}), ...(isObject(change.config) ? change.config : {}) };
  const all = { ...given, ...change, ...(Object.keys(config).length > 0 ? { config } : {}) };
  if (asked.kind === 'newShot') {
    const shot = parseInput(draftedShotSchema, all);
    return shot.ok ? ok({ ...asked, shot: shot.data }) : shot;
  }
  if (asked.kind === 'changeShot') {
    const patch = parseInput(patchSchema, all);
    return patch.ok ? ok({ ...asked, patch: patch.data }) : patch;
  }
  const image = parseInput(draftedImageSchema, all);
  return image.ok ? ok({ ...asked, image: image.data }) : image;
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
