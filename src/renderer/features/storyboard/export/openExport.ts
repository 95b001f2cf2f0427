import { navigate } from '../../../app/index.ts';

/** The page has an address of its own, so that a reload and the way back keep it. */

export const EXPORT_VIEW = 'export';

export const openExport = (): void => navigate('storyboard', { view: EXPORT_VIEW });
export const closeExport = (): void => navigate('storyboard');
