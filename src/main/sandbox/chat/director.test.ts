import { describe, expect, test } from 'vitest';
import type { ParsedChatRequest } from './chatRequest.ts';
import { directedBy, directorsWords } from './director.ts';

const TOOLS = ['draft_shots', 'change_shot', 'draft_images', 'read_board'].map((name) => ({
  type: 'function',
  function: { name },
}));
const request = (tools: unknown[] = TOOLS) =>
  ({ tools, toolChoice: 'auto', seed: 0, parallel: true }) as unknown as ParsedChatRequest;
const calls = (prompt: string) =>
  (directedBy(request(), prompt)?.toolCalls ?? []).map(({ name, arguments: text }) => [name, JSON.parse(text)]);

describe('a director played from the words of a prompt', () => {
  test('drafts the requested number of shots, with lengths that the gateway makes', () => {
    const [[name, { shots }] = []] = calls('Give me five shots of a lamp on a quay');
    expect([name, shots.length]).toEqual(['draft_shots', 5]);
    for (const { config } of shots) expect([4, 6, 8]).toContain(config.durationSeconds);
    expect(shots[0].prompt).toContain('a lamp on a quay');
  });

  test('uses a stated length unchanged, even a wrong one', () => {
    const [[, { shots }] = []] = calls('Five shots, the third 5 s');
    expect(shots.map(({ config }: { config: { durationSeconds: number } }) => config.durationSeconds === 5)).toEqual([
      false,
      false,
      true,
      false,
      false,
    ]);
    const [[, each] = []] = calls('3 shots, 8 seconds each');
    expect(each.shots.map(({ config }: { config: object }) => config)).toEqual(Array(3).fill({ durationSeconds: 8 }));
  });

  test('changes the prompt and length of a shot, and drafts pictures', () => {
    const [change, images] = calls('Make shot 2 6 s long: a caged lamp. And give me two posters');
    expect(change).toEqual(['change_shot', { shot: 2, prompt: 'a caged lamp', config: { durationSeconds: 6 } }]);
    expect(images?.[1].images).toHaveLength(2);
  });

  test('reads the board if asked to; answers other prompts with text', () => {
    expect(calls('What is on the board?')).toEqual([['read_board', {}]]);
    for (const words of ['How do I light a quay?', 'That shot was good', ''])
      expect(directedBy(request(), words)).toBeUndefined();
    expect(directedBy(request([]), 'Five shots')).toBeUndefined();
  });

  test('lists the results of the drafts', () => {
    const drafted = [{ title: 'Lamp', price: '$0.05', state: 'declined by the user' }];
    const content = JSON.stringify({ drafted, not_drafted: ['images.1: must be text'] });
    expect(directorsWords([{ name: 'draft_images', content }])).toContain('**Lamp**, $0.05: declined by the user');
    expect(directorsWords([{ name: 'weather', content: 'rain' }])).toBeUndefined();
  });
});
