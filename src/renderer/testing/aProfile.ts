import { DEFAULT_MODELS, type ProfileView } from '../../shared/profile.ts';

/** A gateway as pages know it; what a test looks at is given. */
export const aProfile = (more: object = {}): ProfileView =>
  ({
    id: 'p',
    name: 'Gateway',
    vendor: 'acme',
    builtin: false,
    key: 'memory',
    omittedFields: [],
    limits: { contextTokens: 1_000 },
    models: DEFAULT_MODELS,
    ...more,
  }) as unknown as ProfileView;
