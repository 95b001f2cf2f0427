import { expect, test } from 'vitest';
import { masterOf } from './filmSound.ts';

const mix = (more: { target?: number; headroom?: number; notLevelled?: string[] }) => ({ headroom: 1, ...more });
const measured = (lufs: number | null, ...peaks: number[]) => ({ lufs, peaks: Float32Array.from(peaks) });

test.each([
  [{ target: -23 }, measured(-20.9, 0.5), -2.1, ['The sound is levelled to −23 LUFS: −2.1 dB.']],
  [{ target: -16 }, measured(-20, 0.1), 4, ['The sound is levelled to −16 LUFS: +4.0 dB.']],
  [{ target: -23 }, measured(-23.01, 0.1), 0.01, ['The sound is levelled to −23 LUFS: +0.0 dB.']],
  // Near silence is not amplified without limit.
  [{ target: -23 }, measured(-60, 0.01), 20, ['The sound is levelled to −40 LUFS: +20.0 dB.']],
  [{ target: -23 }, measured(null, 0), 0, ['The mix is silent. Its loudness was not changed.']],
  [{ headroom: 0.5 }, measured(-20, 0.8), -6.02, ['The mix is lowered to avoid clipping: −6.0 dB.']],
  [{}, measured(-20, 0.8), 0, []],
  [
    { headroom: 0.5, notLevelled: ['Shot 2 is not levelled. It is too long.'] },
    measured(-20, 0.8),
    -6.02,
    ['Shot 2 is not levelled. It is too long.', 'The mix is lowered to avoid clipping: −6.0 dB.'],
  ],
  [
    { target: -16 },
    measured(-26, 0.8),
    10,
    ['The sound is levelled to −16 LUFS: +10.0 dB.', 'Its loudest peaks are lowered by up to 9.1 dB, to −1 dBTP.'],
  ],
])('%j with %j is changed by %d dB', (asked, found, db, why) => {
  const master = masterOf(mix(asked), found);
  expect(20 * Math.log10(master.gain)).toBeCloseTo(db, 2);
  expect(master.why).toEqual(why);
});
