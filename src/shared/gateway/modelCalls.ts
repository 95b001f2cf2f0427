import { z } from 'zod';
import { command, query } from '../contract/call.ts';
import { id } from '../contract/paging.ts';
import type { Asset } from '../library/asset.ts';
import { FACT_NAMES, type FactName, type ModelFacts, modelFactFields } from './modelFacts.ts';
import type { ProfileModel } from './profile.ts';

/** The calls about a profile's models: their facts, when they end, and the shots that depend on them. */

/** The source of a fact; for the gateway, with the field of its list. */
export interface FactSource {
  by: 'service' | 'user';
  field?: string;
}

/** A model of a profile with its facts. */
export interface ModelEntry extends ModelFacts {
  id: string;
  kind: ProfileModel['kind'];
  label?: string;
  preview?: boolean;
  /** Who states when it ends. */
  endsBy?: 'service' | 'user';
  /** The source of each fact. */
  sources: Partial<Record<FactName, FactSource>>;
  /** Whether the latest list has it; absent before one was read. */
  listed?: boolean;
  /** The number of shots whose kept take only this model can extend. */
  shots: number;
}

export interface ModelList {
  profileId: string;
  /** When the list was read; absent before. */
  readAt?: number;
  /** Host and path of the list. */
  from?: string;
  /** The number of models in it. */
  listed?: number;
  models: ModelEntry[];
  /** Listed models that the profile lacks, at most 500. */
  others: string[];
}

/** A shot whose kept take only this model can extend. */
export interface ModelDependent {
  projectId: string;
  project: string;
  shotId: string;
  /** The shot's number on the board. */
  number: number;
  title: string;
  jobId: string;
  /** The take's number. */
  take: number;
  /** The clip's index, from 0. */
  output: number;
  clip: Pick<Asset, 'id' | 'mime' | 'state' | 'thumbnailId'>;
  /** Until when it can be extended; absent if unknown. */
  until?: number;
  /** The earlier end: that of the model, or of the clip's address at the gateway. */
  endedBy?: 'model' | 'source';
  /** The gateway does not say how long it stores the clip. */
  sourceUnknown?: true;
}

export interface ModelDependents {
  profileId: string;
  model: string;
  endsAt?: number | null;
  /** Earliest end first. */
  shots: ModelDependent[];
  /** Kept takes that are no longer at the gateway: they can only be continued from their last frame. */
  gone: number;
}

const model = z.string().min(1).max(200);

export const modelCalls = {
  /** The models of a profile, by default the active one. */
  'models.list': query<ModelList>()(z.strictObject({ profileId: id.optional() })),
  /** Reads the gateway's list of models. Not billed; changes nothing that the user set. */
  'models.read': command<ModelList>()(z.strictObject({ profileId: id.optional() })),
  /** Sets facts of a model; `forget` returns facts to what the gateway states. */
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
