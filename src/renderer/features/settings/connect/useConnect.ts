import { useRef, useState } from 'react';
import type { StudioError } from '../../../../shared/contract/result.ts';
import type { ConnectionTest } from '../../../../shared/gateway/connection.ts';
import { addressOf, type ProfileView } from '../../../../shared/gateway/profile.ts';
import { takeProfile, useOneAtATime, useStudio } from '../../../app/index.ts';
import { call } from '../../../client/index.ts';
import { type Facts, readFacts, rememberCheck } from './facts.ts';
import { failedStep } from './Results.tsx';

export type ConnectStep = 'address' | 'check' | 'money';

/** `https://api.studio-gateway.example` → `Studio gateway`; a number or a bare name stays as it is. */
export function nameOfAddress(baseUrl: string): string {
  const address = addressOf(baseUrl);
  if (address === undefined) return '';
  const { hostname } = new URL(address);
  const parts = hostname.split('.');
  const isNumber = hostname.startsWith('[') || !Number.isNaN(Number(parts.at(-1)));
  if (parts.length < 2 || isNumber) return hostname;
  const words = (parts.at(-2) ?? '').replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A gateway that is being added: saved, its key stored, then checked. It becomes active only when the user starts with real money. */
export function useConnect() {
  const [entries, setEntries] = useState({ baseUrl: '', apiKey: '', name: '' });
  const [step, setStep] = useState<ConnectStep>('address');
  const [test, setTest] = useState<ConnectionTest>();
  const [facts, setFacts] = useState<Facts>();
  const [error, setError] = useState<StudioError>();
  const [isBusy, setBusy] = useState(false);
  // Saved once, even if its key is refused.
  const [profileId, setProfileId] = useState<string>();
  const handed = useRef({ key: '', baseUrl: '' });
  const profile = useStudio(({ profiles }) => profiles.find(({ id }) => id === profileId));
  const name = entries.name.trim() || nameOfAddress(entries.baseUrl);

  const connect = useOneAtATime(async () => {
    setBusy(true);
    setError(await check());
    setBusy(false);
  });

  /** The same key is stored once per address. */
  async function handKey({ id, baseUrl }: ProfileView): Promise<StudioError | undefined> {
    const { apiKey: key } = entries;
    if (key === '' || (handed.current.key === key && handed.current.baseUrl === baseUrl)) return undefined;
    const stored = await call('profiles.setKey', { id, apiKey: key });
    if (stored.ok) handed.current = { key, baseUrl };
    return stored.ok ? undefined : stored.error;
  }

  async function check(): Promise<StudioError | undefined> {
    const known = profileId === undefined ? {} : { id: profileId };
    const saved = await call('profiles.save', { ...known, baseUrl: entries.baseUrl, ...(name && { name }) });
    if (!saved.ok) return saved.error;
    takeProfile(saved.data);
    setProfileId(saved.data.id);
    const refused = await handKey(saved.data);
    if (refused) return refused;
    const tested = await call('profiles.testConnection', { id: saved.data.id });
    if (!tested.ok) return tested.error;
    const hasPassed = !failedStep(tested.data);
    setFacts(hasPassed ? await readFacts(saved.data.id) : undefined);
    if (hasPassed) await rememberCheck(saved.data);
    setTest(tested.data);
    setStep('check');
    return undefined;
  }

  const enter = (part: Partial<typeof entries>) => setEntries((before) => ({ ...before, ...part }));
  return { entries, enter, name, step, setStep, test, facts, error, isBusy, profile, connect };
}

export type ConnectHandle = ReturnType<typeof useConnect>;
