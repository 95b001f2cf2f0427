import { z } from 'zod';
import { command } from '../contract/call.ts';
import { id } from '../contract/paging.ts';

/** A guarantee of the webhook receiver, as the self-test found it. */
export interface SelfTestStep {
  name: 'sent' | 'arrived' | 'right' | 'wrong' | 'twice' | 'large';
  ok: boolean;
  message: string;
  /** Duration in milliseconds. */
  ms?: number;
}

export interface SelfTest {
  steps: SelfTestStep[];
  /** Calls from outside since the program was started, those of self-tests left out. */
  lately: {
    since: number;
    /** For a job that is known, under its secret. */
    useful: number;
    /** To an address that no job has, or under another secret. */
    strange: number;
  };
}

export const webhookCalls = {
  /** Calls the profile's webhook address as a service would, and says whether each guarantee of the receiver holds. Nothing is billed. */
  'webhooks.selfTest': command<SelfTest>()(z.strictObject({ profileId: id })),
} as const;
