import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempDir } from '../../../../../test/helpers/testPorts.ts';
import { wireUri } from './request.ts';

test('a file is sent as it was ordered, or not at all', async () => {
  const path = join(tempDir('wire'), 'a.png');
  writeFileSync(path, 'as ordered');
  const sha256 = createHash('sha256').update('as ordered').digest('hex');
  const sent = `data:image/png;base64,${Buffer.from('as ordered').toString('base64')}`;
  expect(await wireUri({ path, mime: 'image/png', sha256 }, false)).toBe(sent);
  writeFileSync(path, 'something else');
  await expect(wireUri({ path, mime: 'image/png', sha256 }, false)).rejects.toThrow('not what it was');
});
