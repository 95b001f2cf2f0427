import { DEFAULT_MODELS, type ProfileView, profileSchema } from '../../shared/gateway/profile.ts';

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

/** A gateway whole, as it is saved. */
export const aSavedProfile = (more: Partial<ProfileView> = {}): ProfileView =>
  ({
    ...profileSchema.parse({ id: 'p', name: 'Gateway', baseUrl: 'https://gateway.example' }),
    ...{ key: null, hasBotToken: false, missingHeaders: [], builtin: false },
    ...more,
  }) as ProfileView;
