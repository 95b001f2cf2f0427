import { whenRead } from '../helpers/browser.ts';
import { billOf } from './bill.ts';
import { SHOT_TABLE } from './lastFerry.ts';
import type { PictureStudio } from './studio.ts';

/** The pictures of the documentation: when each is taken, and how its page is brought into view. Only this file names controls. */

/** The stages at which pictures are taken, in order. */
export const STAGES = ['first', 'evening', 'scheduled', 'busy', 'morning'] as const;
export type Stage = (typeof STAGES)[number];

export interface Picture {
  name: string;
  stage: Stage;
  show(studio: PictureStudio): Promise<void>;
  /** Something moves on it all the time. */
  isMoving?: true;
  /** What has the focus is part of it. */
  hasFocus?: true;
}

/** Goes to an address within the program and waits until it has read what it shows. */
export async function go({ page }: PictureStudio, place: string): Promise<void> {
  // Closes whatever lies over the page.
  await page.keyboard.press('Escape');
  await page.evaluate((hash) => {
    (globalThis as unknown as { location: { hash: string } }).location.hash = hash;
  }, `#/${place}`);
  await page.locator('main').first().waitFor();
  await page.waitForTimeout(500);
  await whenRead(page);
}

/** A tab of the board, by its key; the first has none. */
async function tab(studio: PictureStudio, key: 'board' | 'c' | 't' | 'a' | 's', shot: number): Promise<void> {
  const { page } = studio;
  await go(studio, 'storyboard');
  await page.getByRole('tab').first().click();
  await page.getByRole('option', { name: new RegExp(`^Shot ${shot}\\b`) }).click();
  if (key !== 'board') await page.keyboard.press(key);
}

export const PICTURES: readonly Picture[] = [
  { name: 'start', stage: 'first', show: async () => {} },
  {
    name: 'board',
    stage: 'evening',
    show: (studio) => tab(studio, 'board', 4),
  },
  { name: 'shot', stage: 'evening', show: (studio) => tab(studio, 'board', 5) },
  { name: 'cast', stage: 'evening', show: (studio) => tab(studio, 'c', 4) },
  { name: 'sound', stage: 'evening', show: (studio) => tab(studio, 't', 4) },
  {
    name: 'continuity',
    stage: 'evening',
    show: async (studio) => {
      await tab(studio, 's', 1);
      await studio.page.keyboard.press('n');
    },
  },
  {
    name: 'compare',
    stage: 'evening',
    show: async (studio) => {
      await tab(studio, 'a', 4);
      await studio.page.getByRole('group', { name: 'Rating' }).waitFor();
      await studio.page.keyboard.press('t');
    },
  },
  {
    name: 'images',
    stage: 'evening',
    show: async (studio) => {
      await go(studio, `images?asset=${studio.stillId('profile')}`);
      await studio.page
        .getByRole('textbox')
        .first()
        .fill('A ferry at the pier in {rain|fog|snow}, {amber|cold} light --ar 16:9');
    },
  },
  { name: 'mask', stage: 'evening', show: paint },
  { name: 'chat', stage: 'evening', show: (studio) => go(studio, `chat?conversation=${studio.conversationId}`) },
  { name: 'library', stage: 'morning', show: (studio) => go(studio, 'library') },
  {
    name: 'asset',
    stage: 'morning',
    show: async (studio) => {
      const { activeTake } = await studio.shotTitled('She watches the lights');
      const { outputs } = await studio.host.ask('jobs.get', { id: activeTake ?? '' });
      await go(studio, `library?asset=${outputs[0]?.id}`);
    },
  },
  {
    name: 'settings-gateway',
    stage: 'evening',
    show: async (studio) => {
      await go(studio, 'settings');
      await studio.page.getByRole('button', { name: 'Check connection' }).click();
    },
  },
  {
    name: 'settings-backups',
    stage: 'evening',
    show: async (studio) => {
      await go(studio, 'settings?section=backups');
      await studio.page.getByText(/^Fri 20 Nov/).click();
    },
  },
  {
    name: 'palette',
    stage: 'evening',
    hasFocus: true,
    show: async (studio) => {
      await tab(studio, 'board', 1);
      await studio.page.keyboard.press('Control+k');
      await studio.page.keyboard.type('lights');
    },
  },
  {
    name: 'import-table',
    stage: 'evening',
    hasFocus: true,
    show: async (studio) => {
      const { page } = studio;
      await go(studio, 'queue?import=jobs');
      await page.getByRole('textbox').first().fill(SHOT_TABLE);
      await page.getByRole('button', { name: 'Read rows' }).click();
      await page.getByText('video-ultra').first().waitFor();
      await page.keyboard.press('F8');
    },
  },
  { name: 'export', stage: 'evening', show: (studio) => go(studio, 'storyboard?view=export') },
  { name: 'bundle', stage: 'evening', show: openBundle },
  { name: 'overnight-run', stage: 'scheduled', show: (studio) => go(studio, 'queue/night') },
  { name: 'queue', stage: 'busy', isMoving: true, show: (studio) => go(studio, 'queue') },
  { name: 'spend', stage: 'morning', show: (studio) => go(studio, 'spend') },
  { name: 'bill', stage: 'morning', show: readBill },
  {
    name: 'morning-report',
    stage: 'morning',
    show: async (studio) => {
      const { last } = await studio.host.ask('night.get');
      await go(studio, `queue/night?run=${last?.id}`);
    },
  },
];

async function paint(studio: PictureStudio): Promise<void> {
  const { page } = studio;
  await go(studio, `images?asset=${studio.stillId('harbour')}&paint=mask`);
  const stage = page.getByRole('application').first();
  const box = await stage.boundingBox();
  if (!box) throw new Error('The painter is not shown.');
  const at = (x: number, y: number): [number, number] => [box.x + box.width * x, box.y + box.height * y];
  const stroke = async (...points: [number, number][]) => {
    const [first = [0, 0], ...others] = points;
    await page.mouse.move(...at(...first));
    await page.mouse.down();
    for (const point of others) await page.mouse.move(...at(...point), { steps: 8 });
    await page.mouse.up();
  };
  await page.keyboard.press('b');
  await stroke([0.2, 0.52], [0.2, 0.6], [0.21, 0.66]);
  await stroke([0.19, 0.55], [0.18, 0.66]);
  await page.getByRole('textbox').first().fill('A suitcase stands alone on the quay, its handle wet.');
}

async function openBundle(studio: PictureStudio): Promise<void> {
  const { host, page } = studio;
  const { id } = await host.ask('bundle.export', { projectId: studio.projectId });
  for (;;) {
    const { state, folder, files } = await host.ask('exports.get', { id });
    if (state === 'done') {
      await tab(studio, 'board', 1);
      await page.keyboard.press('Control+k');
      await page.keyboard.type('Open a bundle');
      await page.keyboard.press('Enter');
      const [chooser] = await Promise.all([
        page.waitForEvent('filechooser'),
        page.getByRole('dialog').getByRole('button', { name: 'Choose a bundle' }).click(),
      ]);
      await chooser.setFiles(`${folder}/${files[0]?.name}`);
      await page.getByRole('dialog').getByText('takes').first().waitFor();
      return;
    }
    await page.waitForTimeout(300);
  }
}

async function readBill(studio: PictureStudio): Promise<void> {
  const { page } = studio;
  await go(studio, 'spend/statement');
  await page.getByRole('textbox').first().fill(billOf(studio.bill().entries));
  await page.getByRole('button', { name: 'Read rows' }).click();
  await page.getByRole('table').first().waitFor();
}
