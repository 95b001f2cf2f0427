import { useCallback } from 'react';
import { type ModelLimits, modelLimits } from '../../shared/gateway/modelFacts.ts';
import { useActiveProfile } from './state/studio.ts';

/** The active profile's limits for a request to a model, with the known facts of that model. */
export function useModelLimits(): (model: string | undefined) => ModelLimits {
  const profile = useActiveProfile();
  return useCallback((model) => modelLimits(profile, model, Date.now()), [profile]);
}
