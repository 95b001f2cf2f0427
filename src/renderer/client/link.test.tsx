import { expect, it } from 'vitest';
import { ok } from '../../shared/result.ts';
import { call, type LinkState, onEvent, onLink, setTransport } from './index.ts';

/** What a page hears of its link to the studio, over a transport whose stream of events opens when the test says so. */
function scene() {
  let say: (state: LinkState) => void = () => {};
  setTransport({
    host: 'browser',
    call: async () => ok(null),
    subscribe: (_, onState) => {
      say = onState;
      return () => {};
    },
    mediaUrl: (id) => id,
    upload: () => Promise.reject(new Error('no uploads here')),
  });
  const heard: LinkState[] = [];
  const off = [onEvent(() => {}), onLink((state) => heard.push(state))];
  return {
    heard,
    say: (state: LinkState) => say(state),
    end: () => {
      for (const stop of off) stop();
    },
  };
}

/** Bug: what was read before the stream of events opened was never read again, though changes in between had been missed. */
it('the first up is told where something was asked before it, once', async () => {
  const { heard, say, end } = scene();
  await call('app.info');
  say('up');
  expect(heard).toEqual(['up']);
  await call('app.info');
  say('up');
  expect(heard).toEqual(['up']);
  say('lost');
  say('up');
  expect(heard).toEqual(['up', 'lost', 'up']);
  end();
});

it('the first up is no news where nothing was asked before it', async () => {
  const { heard, say, end } = scene();
  say('up');
  await call('app.info');
  say('up');
  expect(heard).toEqual([]);
  end();
});

it('a studio that is lost first and asked meanwhile is told lost and up, each once', async () => {
  const { heard, say, end } = scene();
  say('lost');
  await call('app.info');
  say('up');
  say('up');
  expect(heard).toEqual(['lost', 'up']);
  end();
});
