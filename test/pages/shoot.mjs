/**
 * Screenshots of the pages over the fake transport: `node test/pages/shoot.mjs OUT page[?options]… [--size 1024x700] [--url http://…]`.
 * Needs the page server of vite.config.ts on port 5199, or a running studio's address in --url.
 */
import { mkdirSync } from 'node:fs';
import { chromium } from 'playwright';

const args = process.argv.slice(2);
const take = (name, fallback) => {
  const at = args.indexOf(name);
  return at < 0 ? fallback : args.splice(at, 2)[1];
};
const size = take('--size', '1440x900').split('x').map(Number);
const base = take('--url', 'http://127.0.0.1:5199/');
const [out, ...pages] = args;
mkdirSync(out, { recursive: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROME_PATH ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const context = await browser.newContext({ viewport: { width: size[0], height: size[1] } });
for (const spec of pages) {
  const [route, options = ''] = spec.split('?');
  const page = await context.newPage();
  page.on('pageerror', (error) => console.log(spec, 'error:', error.message));
  page.on(
    'console',
    (message) =>
      ['error', 'warning'].includes(message.type()) && console.log(spec, message.type(), message.text().slice(0, 300)),
  );
  await page.goto(`${base}?${options}#/${route.replaceAll(':', '?')}`);
  await page.waitForSelector('main', { timeout: 15_000 });
  await page.waitForLoadState('networkidle').catch(() => {});
  await page.evaluate(() => document.fonts.ready);
  await page.waitForTimeout(500);
  await page.screenshot({
    path: `${out}/${spec.replace(/[^a-z0-9]+/gi, '-')}${size[0] === 1440 ? '' : `-${size[0]}`}.png`,
  });
  await page.close();
}
await browser.close();
