import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBuilt } from '../../src/main/hosts/launch/build.ts';
import { builtInPackages, NOTICES, noticesOf, packedPackages } from './notices.ts';
import { root } from './tools.ts';

/** `npm run notices`: writes `THIRD_PARTY_NOTICES.md`. */
await ensureBuilt(root);
writeFileSync(join(root, NOTICES), noticesOf([...packedPackages(), ...builtInPackages()]));
