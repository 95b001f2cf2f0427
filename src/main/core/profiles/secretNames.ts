import type { Profile } from '../../../shared/gateway/profile.ts';

/** The names of a profile's secrets in the key store; the name of its key is its id. */
export const botName = (id: string): string => `${id}:bot`;
export const headerName = (id: string, header: string): string => `${id}:header:${header.toLowerCase()}`;

export const isHeaderOf = (id: string, name: string): boolean => name.startsWith(headerName(id, ''));

export const headerSecrets = (profile: Profile | undefined): string[] =>
  Object.keys(profile?.extraHeaders ?? {}).map((header) => headerName(profile?.id ?? '', header));

/** All that a profile has in the key store, if it has them. */
export const secretsOf = (profile: Profile): string[] => [profile.id, botName(profile.id), ...headerSecrets(profile)];

export const isSecretOf = (id: string, name: string): boolean => name === id || name.startsWith(`${id}:`);
