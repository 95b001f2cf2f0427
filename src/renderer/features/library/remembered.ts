import { z } from 'zod';
import { ASSET_ORDERS } from '../../../shared/library/asset.ts';
import { keep, readKept } from '../../client/index.ts';

export const COLUMN_IDS = [
  'name',
  'project',
  'model',
  'made',
  'seconds',
  'bytes',
  'seed',
  'verdict',
  'cost',
  'storage',
] as const;
export type ColumnId = (typeof COLUMN_IDS)[number];

/** The look of the list, stored on this machine. */
const lookSchema = z.object({
  layout: z.enum(['grid', 'table']),
  sort: z.object({ by: z.enum(ASSET_ORDERS), order: z.enum(['asc', 'desc']) }),
  tile: z.number().min(96).max(320),
  /** A look stored by an earlier version has no hidden columns. */
  hidden: z.array(z.enum(COLUMN_IDS)).catch([]),
});
type Look = z.output<typeof lookSchema>;

const PLACE = 'dailies.library';

/** Empty if none was stored or it cannot be read. */
export const rememberedLook = (): Partial<Look> => lookSchema.safeParse(readKept('localStorage', PLACE)).data ?? {};

export const rememberLook = (look: Look) => keep('localStorage', PLACE, look);
