import { expect, test } from 'vitest';
import { OneATurn } from '../turns.ts';

test('what comes together passes one in each turn, in its order, and what comes alone at once', async () => {
  const said: string[] = [];
  const turns = new OneATurn(async () => said.push('turn'));
  await turns.pass();
  expect(said).not.toContain('waited');
  const pass = async (name: string) => {
    await turns.pass();
    said.push(name);
  };
  said.length = 0;
  await Promise.all(['one', 'two', 'three'].map(pass));
  expect(said.filter((word) => word !== 'turn')).toEqual(['one', 'two', 'three']);
  for (const [first, second] of [
    ['one', 'two'],
    ['two', 'three'],
  ])
    expect(said.slice(said.indexOf(first ?? ''), said.indexOf(second ?? ''))).toContain('turn');
});
