import { expect, it } from 'vitest';
import { textOf } from '../../../testing/find.ts';
import { show } from '../../../testing/page.tsx';
import { PromptField } from './ImaginePanel.tsx';

it.each(['', 'A quay', 'A quay --ar 16:9', 'Two lines\n'])(
  'what lies under the field is %j, and nothing besides',
  async (value) => {
    await show(<PromptField value={value} onValue={() => {}} label="Prompt" placeholder="Subject" />);
    expect(textOf('.under')).toBe(value);
  },
);
