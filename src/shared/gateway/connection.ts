/** What a connection test says (`profiles.testConnection`): its steps, what it looked at besides, and what was found out of the dialect. */

export interface ConnectionStep {
  name: 'dns' | 'connect' | 'tls' | 'key' | 'protocol' | 'model';
  ok: boolean;
  message: string;
  /** What is fine as far as it goes and was never tried: what it is, and what comes of it. */
  untried?: string;
  /** Duration in milliseconds. */
  ms?: number;
}

/** Beside the steps: whether the image side takes the key, and how far the clocks are apart. */
export interface ConnectionCheck {
  name: 'images' | 'clock';
  ok: boolean;
  message: string;
  ms?: number;
}

/** How a setting was found: by what. `described` is kept of earlier versions. */
export const FOUND_BY = ['described', 'refused', 'accepted', 'polled', 'listed', 'earlier'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

/** A setting of the dialect that differs from what the profile says, or that it leaves open. */
export interface FoundSetting {
  /** Its name on the pages. */
  setting: string;
  was: string;
  now: string;
  by: FoundBy;
  /** How it was found, in a sentence. */
  how: string;
  /** Milliseconds since 1970; absent of what an earlier version found. */
  at?: number;
}

export interface ConnectionTest {
  steps: ConnectionStep[];
  checks?: ConnectionCheck[];
  found?: FoundSetting[];
  /** Models of the profile that the service's list leaves out. */
  missing?: string[];
  /** Header names that the key can be tried under for pictures, where the image side refuses it; trying is not billed. */
  untriedHeaders?: string[];
}
