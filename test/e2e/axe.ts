import AxeBuilder from '@axe-core/playwright';
import type { Page } from 'playwright';

interface AxeOptions {
  /** Selector of the part that is checked; by default the whole page. */
  within?: string;
  /** By default every rule that axe has on. */
  rules?: string[];
  /** Only the rules that have one of these tags. */
  tags?: string[];
  /** The sizes of targets of WCAG 2.2 as well, which axe leaves out. */
  targetSize?: boolean;
}

/** Waits for what fades or moves to its end: a colour on its way to another has a contrast that nobody is left with. */
const STILL = `Promise.allSettled(document.getAnimations()
  .filter((one) => one.effect?.getComputedTiming().endTime !== Infinity)
  .map((one) => one.finished)).then(() => undefined)`;

/** What axe finds in a page as it is: the rule and the element, so that it can be fixed. */
export async function axeFaults(
  page: Page,
  { within, rules, tags, targetSize = false }: AxeOptions = {},
): Promise<string[]> {
  await page.evaluate(STILL);
  // Its half a megabyte is read once a document; the library reads it twice a run.
  const isThere = await page.evaluate(`typeof axe === 'object'`);
  // In the page itself: results of frames would be put together in a page of their own, opened anew each time.
  const axe = new AxeBuilder({ page, ...(isThere ? { axeSource: 'undefined' } : {}) }).setLegacyMode();
  // Nothing is put together of what is right, which is most of a page.
  axe.options({ resultTypes: ['violations'], rules: { 'target-size': { enabled: targetSize } } });
  if (rules) axe.withRules(rules);
  if (tags) axe.withTags(tags);
  if (within !== undefined) axe.include(within);
  // The focus guards of an open layer pass the focus on as soon as they get it.
  axe.exclude('[data-base-ui-focus-guard]');
  const { violations } = await axe.analyze();
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 200)}: ${failureSummary?.split('\n')[1]?.trim()}`),
  );
}
