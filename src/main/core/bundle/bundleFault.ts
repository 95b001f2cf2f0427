import type { BundleFault } from '../../../shared/bundle/calls.ts';
import { fail, type Result } from '../../../shared/contract/result.ts';
import { shownBeginning } from '../../../shared/text/shownName.ts';
import { t } from '../../../shared/text/texts.ts';

/** Ends the reading of a bundle; its rule reads on from the name of an entry. */
export class BundleError extends Error {
  readonly faults: readonly [BundleFault, ...BundleFault[]];

  constructor(first: BundleFault, ...more: BundleFault[]) {
    super(first.message);
    this.faults = [first, ...more];
  }
}

/** The name of an entry as it may be shown: it is anybody's text. */
export const shownEntry = (entry: string): string => shownBeginning(entry, 200);

/** `media/….mp4: its bytes are not those …`; of the file as a whole, the rule alone. */
export function faultOf(entry: string, rule: string): BundleFault {
  const shown = shownEntry(entry);
  return { entry: shown, message: shown === '' ? rule : `${shown}: ${rule}` };
}

export const broken = (entry: string, rule: string): BundleError => new BundleError(faultOf(entry, rule));

const NOTHING_CHANGED = t`Nothing was opened.`;

/** Answers a fault of the bundle as a refusal; anything else is thrown on. */
export async function refusing<T>(read: () => Promise<Result<T>>): Promise<Result<T>> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof BundleError)) throw error;
    const [first] = error.faults;
    const data = { entry: first.entry, errors: error.faults.map((one) => ({ ...one })) };
    return fail('invalid_input', `${first.message} ${NOTHING_CHANGED}`, data);
  }
}
