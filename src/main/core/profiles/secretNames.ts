import type { Profile } from '../../../shared/profile.ts';

/** The names of a profile's secrets in the key store; the name of its key is its id. */
export const botName = (id: string): string => `${id}:bot`;
export const headerName = (id: string, header: string): string => `${id}:header:${header.toLowerCase()}`;

export const headerSecrets = (profile: Profile | undefined): string[] =>
  Object.keys(profile?.extraHeaders ?? {}).map((header) => headerName(profile?.id ?? '', header));

export const isSecretOf = (id: string, name: string): boolean => name === id || name.startsWith(`${id}:`);
