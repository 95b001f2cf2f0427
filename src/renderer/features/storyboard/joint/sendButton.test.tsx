import { expect, it } from 'vitest';
import { labels } from '../../../../../test/labels.ts';
import { byText, click, fakeStudio, show } from '../../../testing/page.tsx';
import { SendButton } from './SendButton.tsx';

it('while shots are ordered now they cannot be ordered for the night as well', async () => {
  fakeStudio({});
  const sent: string[] = [];
  const never = (when: string) => () => {
    sent.push(when);
    return new Promise<undefined>(() => {});
  };
  await show(
    <SendButton
      off={undefined}
      onSend={never('now')}
      tonight={{ what: 'Redo', shown: undefined, onSend: never('tonight') }}
    >
      Redo 2 and 3
    </SendButton>,
  );
  await click(byText('Redo 2 and 3'));
  await click(byText(labels.tonight));
  expect(sent).toEqual(['now']);
});
