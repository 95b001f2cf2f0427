import { expect, test } from 'vitest';
import { namedKinds, namedKindsIn } from './kindNames.ts';

test('no file outside the kinds asks for a kind by its name', () => {
  expect(namedKinds()).toEqual([]);
});

/** A gate that never fails proves nothing: each is a way to forget a new kind. */
const PLANTED = {
  'a comparison': "export const lane = (job: Job) => (job.kind === 'chat' ? 1 : 2);",
  'a comparison behind a question mark': "export const is = (job?: Job) => 'edit' !== job?.request.kind;",
  'a comparison of a name taken out': "export const chats = models.filter(({ kind }) => kind === 'chat');",
  'a comparison of how it is priced': "export const model = kind === 'image' ? '*' : listed.model;",
  'a switch': "export function words(job: Job) { switch (job.kind) { case 'video': return 1; default: return 2; } }",
  'a list': "export const images = ['imagine', 'edit'];",
  'a filter': "call('jobs.list', { kinds: ['video'], limit: 60 });",
  'a table': 'export const USUAL_MS = { chat: 1, imagine: 2, edit: 2, video: 3 };',
  'a type of its own': "export type WireKind = 'chat' | 'video';",
  'a statement': "export const q = sql('x', `SELECT id FROM jobs WHERE kind IN ('imagine', 'edit')`);",
  'a condition': "export const q = \"kind = 'chat' AND state = 'running'\";",
};
test.each(Object.entries(PLANTED))('refuses %s', (_, text) => {
  expect(namedKindsIn('src/main/core/jobs/planted.ts', text)).toHaveLength(1);
});

const FINE = {
  'a request that is made': "export const request = { kind: 'video', model, prompt };",
  'a page of that name': "if (page === 'chat') open();",
  'a tab of that name': "export const isEditing = tab === 'edit';",
  'a medium of that name': "export const is = type === 'video' || ['image', 'video'].includes(type);",
};
test.each(Object.entries(FINE))('lets %s pass', (_, text) => {
  expect(namedKindsIn('src/main/core/jobs/planted.ts', text)).toEqual([]);
});

test('the kinds folders may distinguish the kinds by name', () => {
  expect(namedKindsIn('src/shared/kinds/index.ts', PLANTED['a table'])).toEqual([]);
});
