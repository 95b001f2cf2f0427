import { originOf, type ProfileView } from '../../../../shared/profile.ts';
import { saveSettings, useStudio } from '../../../app/index.ts';

/** When all six checks of a gateway passed last; at another address it is another gateway. */

type Checked = Pick<ProfileView, 'id' | 'baseUrl'>;

export async function rememberCheck({ id, baseUrl }: Checked): Promise<void> {
  const checked = {
    ...useStudio.getState().settings?.checked,
    [id]: { origin: originOf(baseUrl) ?? '', at: Date.now() },
  };
  await saveSettings({ checked });
}

export function useCheckedAt({ id, baseUrl }: Checked): number | undefined {
  const last = useStudio(({ settings }) => settings?.checked?.[id]);
  return last?.origin === originOf(baseUrl) ? last?.at : undefined;
}
