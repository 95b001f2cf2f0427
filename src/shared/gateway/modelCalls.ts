import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import type { Asset } from '../library/asset.ts';
import { FACT_NAMES, type FactName, type ModelFacts, modelFactFields } from './modelFacts.ts';
import type { ProfileModel } from './profile.ts';

/** The calls about a profile's models: what each can, the day it ends, and the shots that hang on it. */

/** Who states a fact; the service with the field of its list. */
export interface FactSource {
  by: 'service' | 'user';
  field?: string;
}

/** A model of a profile with what is known of it. */
export interface ModelEntry extends ModelFacts {
  id: string;
  kind: ProfileModel['kind'];
  label?: string;
  preview?: boolean;
  /** Who says when it ends; absent where nobody does. */
  endsBy?: 'service' | 'user';
  /** Who says each fact. */
  sources: Partial<Record<FactName, FactSource>>;
  /** Whether the list that was read last has it; absent before one was read. */
  listed?: boolean;
  /** How many shots have a kept take that this model alone can extend. */
  shots: number;
}

export interface ModelList {
  profileId: string;
  /** When the service's list was read; absent before. */
  readAt?: number;
  /** Host and path of what was read. */
  from?: string;
  /** How many models it lists. */
  listed?: number;
  models: ModelEntry[];
  /** Ids of the list that the profile does not have, at most 500. */
  others: string[];
}

/** A shot whose kept take this model alone can extend. */
export interface ModelDependent {
  projectId: string;
  project: string;
  shotId: string;
  /** Its number on the board. */
  number: number;
  title: string;
  jobId: string;
  /** The number of the take. */
  take: number;
  /** Which of its clips, counting from 0. */
  output: number;
  clip: Pick<Asset, 'id' | 'mime' | 'state' | 'thumbnailId'>;
  /** Until when it can be extended; absent where neither end is known. */
  until?: number;
  /** What ends it: the model, or the clip's address at the gateway. */
  endedBy?: 'model' | 'source';
  /** The gateway does not say how long it keeps the clip. */
  sourceUnknown?: true;
}

export interface ModelDependents {
  profileId: string;
  model: string;
  endsAt?: number | null;
  /** Those that are pressed for time first. */
  shots: ModelDependent[];
  /** Kept takes of it that the gateway does not hold any more: they can only be continued from their last frame. */
  gone: number;
}

const model = z.string().min(1).max(200);

export const modelCalls = {
  /** A profile's models; without `profileId`, the active one's. */
  'models.list': query<ModelList>()(z.strictObject({ profileId: id.optional() })),
  /** Reads the service's list of models. Sends nothing that is billed, and changes nothing that was set by hand. */
  'models.read': command<ModelList>()(z.strictObject({ profileId: id.optional() })),
  /** Sets facts of a model by hand; `forget` gives facts back to what the service states. */
  'models.set': command<ModelList>()(
    z.strictObject({
      profileId: id.optional(),
      model,
      facts: z.strictObject(modelFactFields).default({}),
      forget: z
        .array(z.enum(FACT_NAMES as [FactName, ...FactName[]]))
        .max(FACT_NAMES.length)
        .default([]),
    }),
  ),
  /** The shots whose kept take was made by this model and can still be extended. */
  'models.dependents': query<ModelDependents>()(z.strictObject({ profileId: id.optional(), model })),
} as const;
