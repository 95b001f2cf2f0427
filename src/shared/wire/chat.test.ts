import { expect, test } from 'vitest';
import { type ChatForm, chatBody } from './chat.ts';

const bodyOf = (messages: ChatForm['messages']) => chatBody({ model: 'm', messages, stream: false }, false).messages;

const picture = (url: string) => ({ type: 'image_url', image_url: { url } });

test('messages of one side in a row go as one, each picture behind its words', () => {
  expect(
    bodyOf([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'A tide', pictures: ['https://a'] },
      { role: 'user', content: 'At dawn' },
      { role: 'user', content: '' },
      { role: 'user', content: 'Like this one', pictures: ['https://b', 'https://c'] },
      { role: 'assistant', content: 'First this.' },
      { role: 'assistant', content: 'Then that.' },
      { role: 'user', content: 'Why?' },
    ]),
  ).toEqual([
    { role: 'system', content: 'Be brief.' },
    {
      role: 'user',
      content: [
        { type: 'text', text: 'A tide' },
        picture('https://a'),
        { type: 'text', text: 'At dawn' },
        { type: 'text', text: 'Like this one' },
        picture('https://b'),
        picture('https://c'),
      ],
    },
    { role: 'assistant', content: 'First this.\n\nThen that.' },
    { role: 'user', content: 'Why?' },
  ]);
});

test('calls stay in front of their results, and each result by itself', () => {
  const call = (id: string) => ({ id, name: 'f', arguments: '{}' });
  const bodies = bodyOf([
    { role: 'user', content: 'Go' },
    { role: 'assistant', content: 'Well.' },
    { role: 'assistant', content: '', reasoning: 'Hm.', toolCalls: [call('a'), call('b')] },
    { role: 'tool', content: '1', toolCallId: 'a' },
    { role: 'tool', content: '2', toolCallId: 'b' },
    { role: 'assistant', content: 'Done.' },
  ]);
  expect(bodies).toMatchObject([
    { role: 'user' },
    { role: 'assistant', content: 'Well.', reasoning_content: 'Hm.', tool_calls: [{ id: 'a' }, { id: 'b' }] },
    { role: 'tool', tool_call_id: 'a' },
    { role: 'tool', tool_call_id: 'b' },
    { role: 'assistant', content: 'Done.' },
  ]);
});
