import { expect, test } from 'vitest';
import { tagged } from '../../../../test/helpers/tagged.ts';
import { measureImage } from './measure.ts';
import { fitPicture } from './picture.ts';

/** If the sandbox rotated pictures, a client that leaves the rotation to the gateway would look right here and wrong elsewhere. */
test.each(['jpeg', 'png', 'webp'] as const)('the sandbox takes the pixels of a %s as they are stored', async (type) => {
  const bytes = tagged(type, 6);
  expect(await measureImage(bytes)).toEqual({ width: 24, height: 40 });
  const drawn = await fitPicture(bytes, 24, 40);
  // A picture stored on its side begins with the upright one's top right corner.
  const [red = 0, green = 0, blue = 0] = drawn.getContext('2d').getImageData(4, 4, 1, 1).data;
  expect([red > 128, green > 128, blue > 128]).toEqual([false, true, false]);
});
