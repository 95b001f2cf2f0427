import { plural } from '../../../../shared/plural.ts';
import type { Profile } from '../../../../shared/profile.ts';
import { field, type Json, listOf, textOf } from '../json/json.ts';
import type { ConnectionReport } from '../types.ts';

/** The ids in a list of models; nothing where the answer is no such list. */
export function listedModels(body: Json | undefined): string[] | undefined {
  const list = Array.isArray(body)
    ? body
    : (field(body, 'data', 'models') ?? field(field(body, 'data'), 'data', 'models'));
  if (!Array.isArray(list)) return undefined;
  return listOf(list).flatMap((entry) => textOf(entry) ?? textOf(field(entry, 'id', 'model', 'name')) ?? []);
}

/** Whether the service lists the models of the profile. Picture models are chosen by a flag in the prompt (spec 9.3). */
export function modelStep(profile: Profile, listed: string[] | undefined): ConnectionReport['steps'][number] {
  if (!listed) return { name: 'model', ok: true, message: 'Not checked: the service has no list of models.' };
  const wanted = profile.models.filter((model) => model.kind !== 'image').map((model) => model.id);
  const known = new Set(listed);
  const missing = wanted.filter((id) => !known.has(id));
  if (missing.length === 0)
    return {
      name: 'model',
      ok: true,
      message:
        wanted.length === 1
          ? "The profile's model is in the service's list."
          : `All ${wanted.length} models of the profile are in the service's list.`,
    };
  const some = missing.slice(0, 5).join(', ') + (missing.length > 5 ? ` and ${missing.length - 5} more` : '');
  return {
    name: 'model',
    ok: false,
    message: `Not in the service's list of ${plural(listed.length, 'model')}: ${some}.`,
  };
}
