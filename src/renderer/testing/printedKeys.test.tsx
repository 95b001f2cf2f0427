import { beforeEach, expect, it } from 'vitest';
import { useShortcut, useStudio } from '../app/index.ts';
import { Button } from '../ui/index.ts';
import { show } from './page.tsx';
import { unansweredKeys } from './printedKeys.ts';

function Judge({ answers, off }: { answers: boolean; off?: string }) {
  useShortcut('night.judge', () => {}, answers);
  return (
    <Button kbd="A" off={off}>
      Judge 3 takes
    </Button>
  );
}

beforeEach(() => {
  useStudio.setState({ settings: { theme: 'dark', welcomed: true, activeProfileId: 'p' } });
});

it('names a key that is printed on a control that can be pressed, and that nothing answers to', async () => {
  const body = await show(<Judge answers={false} />);
  expect(unansweredKeys(body)).toEqual(['Judge 3 takes: A']);
  expect(unansweredKeys(await show(<Judge answers />))).toEqual([]);
  expect(unansweredKeys(await show(<Judge answers={false} off="Nothing was made." />))).toEqual([]);
});
