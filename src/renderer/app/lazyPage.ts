import { type ComponentType, lazy } from 'react';
import { call, onLink } from '../client/index.ts';

/** The code of a page could not be loaded. Browsers remember that failure as long as the window lives, so a retry is useless. */
export class CodeNotLoaded extends Error {}

/**
 * A page, or a large part of one, whose code is loaded when first shown. The studio serves the code, so loading waits until the studio
 * answers.
 */
export const lazyPage = <Props extends object = object>(load: () => Promise<{ default: ComponentType<Props> }>) =>
  lazy(async () => {
    await answered();
    try {
      return await load();
    } catch (cause) {
      throw new CodeNotLoaded('Its code could not be loaded.', { cause });
    }
  });

async function answered(): Promise<void> {
  const answer = await call('app.info');
  if (answer.ok || answer.error.code !== 'unreachable') return;
  await nextLink();
  await answered();
}

const nextLink = () =>
  new Promise<void>((resolve) => {
    const stop = onLink((link) => {
      if (link !== 'up') return;
      stop();
      resolve();
    });
  });
