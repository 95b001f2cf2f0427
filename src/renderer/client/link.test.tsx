import { expect, it, vi } from 'vitest';
import { aTransport } from '../testing/aTransport.ts';
import { call, type LinkState, onEvent, onLink, type StudioEvent, setTransport, type Transport } from './index.ts';

/** What a page hears of its link to the studio, over a transport whose stream of events opens when the test says so. */
function scene() {
  let say: (state: LinkState) => void = () => {};
  let tell: (event: StudioEvent) => void = () => {};
  const subscribe: Transport['subscribe'] = (onEvent, onState) => {
    [tell, say] = [onEvent, onState];
  };
  setTransport(aTransport({ subscribe }));
  const heard: LinkState[] = [];
  const off = [onEvent(() => {}), onLink((state) => heard.push(state))];
  return {
    heard,
    say: (state: LinkState) => say(state),
    tell: (event: StudioEvent) => tell(event),
    end: () => {
      for (const stop of off) stop();
    },
  };
}

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

it('a studio that was opened again is told as lost and found, and not as found while it is lost', async () => {
  vi.useFakeTimers();
  try {
    const { heard, say, tell, end } = scene();
    say('up');
    tell({ type: 'studio.reopened' });
    expect(heard).toEqual(['lost']);
    vi.runAllTimers();
    expect(heard).toEqual(['lost', 'up']);
    tell({ type: 'studio.reopened' });
    say('lost');
    vi.runAllTimers();
    expect(heard).toEqual(['lost', 'up', 'lost']);
    say('up');
    expect(heard).toEqual(['lost', 'up', 'lost', 'up']);
    end();
  } finally {
    vi.useRealTimers();
  }
});
