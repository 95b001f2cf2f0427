import { describe, expect, test } from 'vitest';
import { KEY_ACTIONS, type KeyActionId, type Place } from '../../src/renderer/app/keys/actions.ts';
import { HeardKeys } from './heardKeys.ts';
import { inSource } from './source.ts';

/** What each place shows: its components, under `src/renderer`. What one place names and another shows is not shown at the first. */
const FRAME = ['features/storyboard/BoardPage.tsx#BoardPage', 'features/storyboard/BoardPage.tsx#OpenBoard'];
const INSPECTOR = 'features/storyboard/inspector/Inspector.tsx#Inspector';
const IMAGES = 'features/images/ImagesPage.tsx#ImagesPage';
const COMPARE = 'media/compare/Compare.tsx#Compare';
const SHOWN: Record<Place, readonly string[]> = {
  chat: ['features/chat/ChatPage.tsx#ChatPage'],
  painter: [
    ...[IMAGES, 'features/images/panels/EditPanel.tsx#EditPanel'],
    ...['features/images/stage/ToolBar.tsx#ToolBar', 'features/images/stage/PainterStage.tsx#PainterStage'],
  ],
  viewer: [
    ...[IMAGES, 'features/images/panels/PicturePanel.tsx#PicturePanel'],
    ...['features/images/stage/ViewStage.tsx#ViewBar', 'features/images/stage/ViewStage.tsx#ViewStage'],
  ],
  compared: [IMAGES, COMPARE, 'features/images/panels/ComparedPanel.tsx#ComparedPanel'],
  library: [COMPARE, 'features/library/LibraryPage.tsx#LibraryPage'],
  settings: ['features/settings/SettingsPage.tsx#SettingsPage'],
  evidence: ['features/spend/evidence/EvidencePage.tsx#EvidencePage'],
  board: [...FRAME, INSPECTOR, 'features/storyboard/PlayTab.tsx#PlayTab'],
  cast: [
    ...FRAME,
    ...['features/storyboard/cast/CastTab.tsx#CastTab', 'features/storyboard/cast/CastSide.tsx#CastSide'],
  ],
  sound: [
    ...FRAME,
    ...['features/storyboard/sound/SoundTab.tsx#SoundTab', 'features/storyboard/sound/SoundSide.tsx#SoundSide'],
  ],
  audition: [...FRAME, INSPECTOR, 'features/storyboard/audition/AuditionTab.tsx#AuditionTab'],
  seams: [
    ...FRAME,
    ...['features/storyboard/seams/SeamsTab.tsx#SeamsTab', 'features/storyboard/seams/SeamsTab.tsx#SeamsSide'],
  ],
  shotList: ['features/storyboard/shotList/ImportShots.tsx#ImportShots'],
  export: ['features/storyboard/export/ExportPage.tsx#ExportPage'],
  queue: ['features/queue/QueuePage.tsx#QueuePage'],
  batch: ['features/queue/batch/BatchPage.tsx#BatchPage'],
  prices: ['features/queue/prices/PriceStopPage.tsx#PriceStopPage'],
  night: ['features/queue/night/NightPage.tsx#NightPage'],
  run: ['features/queue/night/RunPage.tsx#RunPage'],
  judge: ['features/storyboard/judge/JudgePage.tsx#JudgePage'],
  triage: ['features/queue/triage/TriagePage.tsx#TriagePage'],
};
/** Parts that a place shows without their keys. */
const SILENT: Partial<Record<string, readonly KeyActionId[]>> = {
  queue: ['price.adopt', 'price.dispute', 'price.once'],
};
/** Show no action of their own. */
const OTHERS = ['app/shell/Shell.tsx#Shell', 'features/spend/SpendPage.tsx#SpendPage'];

const pathOf = (component: string): string => `src/renderer/${component}`;
const ALL = [...Object.values(SHOWN).flat(), ...OTHERS].map(pathOf);
const keys = new HeardKeys(
  inSource(
    (file, text) => [file, text] as const,
    (file) => /^src\/renderer\/.*\.tsx?$/.test(file),
  ),
);
function heardAt(components: readonly string[]): ReturnType<HeardKeys['heardFrom']> {
  const own = components.map(pathOf);
  return keys.heardFrom(own, new Set(ALL.filter((one) => !own.includes(one))));
}

const IDS = Object.keys(KEY_ACTIONS) as KeyActionId[];
const isOf = (id: KeyActionId, scope: string): boolean => KEY_ACTIONS[id].scope === scope;

describe('the table of the keys', () => {
  test.each(Object.entries(SHOWN))('says what is heard at this place, and nothing else: %s', (place, components) => {
    const { ids } = heardAt(components);
    const own = IDS.filter((id) => !isOf(id, 'everywhere'));
    const said = own.filter((id) => KEY_ACTIONS[id].heard.includes(place as Place) || SILENT[place]?.includes(id));
    expect(said).toEqual(own.filter((id) => ids.has(id)));
  });

  test('says nothing of what is heard everywhere that no handler hears', () => {
    const heard = [...Object.values(SHOWN), OTHERS].flatMap((components) => [...heardAt(components).ids]);
    // The pages' own shortcuts are named after the page: `page.${id}`.
    const isPage = (id: KeyActionId) => id.startsWith('page.') && id !== 'page.leave';
    expect(IDS.filter((id) => isOf(id, 'everywhere') && !isPage(id) && !heard.includes(id))).toEqual([]);
  });

  test('knows the place of every handler', () => {
    const reached = new Set(
      [...Object.values(SHOWN), OTHERS].flatMap((components) => [...heardAt(components).reached]),
    );
    expect(keys.hearing().filter((key) => !reached.has(key))).toEqual([]);
  });
});

/** A gate that never fails proves nothing. */
describe('what a component hears', () => {
  const heardIn = (text: string, other = ''): string[] => {
    const planted = new HeardKeys([
      ['src/renderer/page.tsx', text],
      ['src/renderer/other.tsx', other],
    ]);
    return [...planted.heardFrom(['src/renderer/page.tsx#Page'], new Set()).ids];
  };
  const ACT = 'function Act({ action }) { useShortcut(action, go); return null; }';

  test.each([
    ['a hint alone', "function Page() { return <Kbd>{useKeyHint('queue.edit')}</Kbd>; }", []],
    ['a command of the palette alone', "function Page() { useCommands('q', [{ action: 'queue.edit' }]); }", []],
    ['a type', "import { type Own } from './other.ts';\nfunction Page(own: Own<'queue.edit'>) {}", []],
    ['a handler', "function Page() { useShortcut('queue.edit', go); }", ['queue.edit']],
    ['one of two', "function Page() { useShortcut(a ? 'queue.edit' : 'queue.all', go); }", ['queue.edit', 'queue.all']],
    ['a control that takes it', `${ACT}\nfunction Page() { return <Act action="queue.edit" />; }`, ['queue.edit']],
    [
      'a control that takes it from a table',
      `${ACT}\nconst ALL = [{ action: 'queue.edit' }];\nfunction Page() { return ALL.map((one) => <Act {...one} />); }`,
      ['queue.edit'],
    ],
    ['a control that only shows it', "function Page() { return <Act action='queue.edit' />; }\nfunction Act() {}", []],
  ])('%s', (_, text, ids) => {
    expect(heardIn(text)).toEqual(ids);
  });

  test('what it takes from another file, and of that only what it takes', () => {
    const other = `export const useEdit = () => useShortcut('queue.edit', go);\nexport const useAll = () => useShortcut('queue.all', go);`;
    const text = "import { useEdit, useAll as all } from './other.tsx';\nfunction Page() { useEdit(); }";
    expect(heardIn(text, other)).toEqual(['queue.edit']);
  });
});
