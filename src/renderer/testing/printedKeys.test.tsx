import { beforeEach, expect, it } from 'vitest';
import { useShortcut, useStudio } from '../app/index.ts';
import { Button } from '../ui/index.ts';
import { show } from './page.tsx';
import { unansweredKeys } from './printedKeys.ts';

function Review({ answers, off }: { answers: boolean; off?: string }) {
  useShortcut('night.review', () => {}, answers);
  return (
    <Button kbd="A" off={off}>
      Review 3 takes
    </Button>
  );
}

beforeEach(() => {
  useStudio.setState({ settings: { theme: 'dark', welcomed: true, activeProfileId: 'p' } });
});

it('names a key that is printed on a control that can be pressed, and that nothing answers to', async () => {
  const body = await show(<Review answers={false} />);
  expect(unansweredKeys(body)).toEqual(['Review 3 takes: A']);
  expect(unansweredKeys(await show(<Review answers />))).toEqual([]);
  expect(unansweredKeys(await show(<Review answers={false} off="Nothing was made." />))).toEqual([]);
});
