/** The result of a connection test (`profiles.testConnection`). */

export interface ConnectionStep {
  name: 'dns' | 'connect' | 'tls' | 'key' | 'protocol' | 'model';
  ok: boolean;
  message: string;
  /** Set if the step passed but only a first job can prove it: what that is; shown instead of `message`. */
  untried?: string;
  /** Duration in milliseconds. */
  ms?: number;
}

/** Besides the steps: whether the image side accepts the key, and the clock difference. */
export interface ConnectionCheck {
  name: 'images' | 'clock';
  ok: boolean;
  message: string;
  ms?: number;
}

/** How a setting was found. `described` comes from earlier versions. */
export const FOUND_BY = ['described', 'refused', 'accepted', 'polled', 'listed', 'earlier'] as const;
export type FoundBy = (typeof FOUND_BY)[number];

/** A setting of the API format that was found, and that the profile sets differently or not at all. */
export interface FoundSetting {
  /** The setting's name on the pages. */
  setting: string;
  was: string;
  now: string;
  by: FoundBy;
  /** How it was found, in a sentence. */
  how: string;
  /** Milliseconds since 1970; absent if an earlier version found it. */
  at?: number;
}

export interface ConnectionTest {
  steps: ConnectionStep[];
  checks?: ConnectionCheck[];
  found?: FoundSetting[];
  /** Models of the profile that the gateway does not list. */
  missing?: string[];
  /** Header names to try the key under if the image side refuses it; trying is not billed. */
  untriedHeaders?: string[];
}
