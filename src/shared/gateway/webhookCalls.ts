import { z } from 'zod';
import { command } from '../contract/call.ts';
import { id } from '../contract/paging.ts';

/** One guarantee of the webhook receiver and the result of its self-test. */
export interface SelfTestStep {
  name: 'sent' | 'arrived' | 'right' | 'wrong' | 'twice' | 'large';
  ok: boolean;
  message: string;
  /** Duration in milliseconds. */
  ms?: number;
}

export interface SelfTest {
  steps: SelfTestStep[];
  /** Calls since the program started, without those of self-tests. */
  lately: {
    since: number;
    /** For a known job, with its secret. */
    useful: number;
    /** To an unknown address, or with a wrong secret. */
    strange: number;
  };
}

export const webhookCalls = {
  /** Calls the profile's webhook address as a gateway would and reports each guarantee. Nothing is billed. */
  'webhooks.selfTest': command<SelfTest>()(z.strictObject({ profileId: id })),
} as const;
