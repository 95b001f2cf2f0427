import { expect, test } from 'vitest';
import { readGuide, sectionsOf, sectionsWith } from './guide.ts';

test('the whole guide is there, in the order of its contents', async () => {
  const guide = await readGuide();
  const topics = [...new Set(guide.map(({ topic }) => topic))];
  expect(topics[0]).toBe('first-film');
  expect(topics).toEqual(expect.arrayContaining(['gateways', 'troubleshooting', 'glossary']));
  expect(guide.filter(({ title }) => title === '')).toEqual([]);
  expect(guide.filter(({ text }) => /^(#|!\[)/m.test(text.replace(/^```.*?^```/gms, '')))).toEqual([]);
});

test('a page is cut at its headings, not at the comments of its code', () => {
  const page = '# Back up\n\nFirst.\n\n![Seen](x.webp)\n\n## By hand (slow)\n\n```\n# a comment\n```\n';
  expect(sectionsOf('backup', page, 'en')).toEqual([
    { topic: 'backup', topicTitle: 'Back up', title: 'Back up', anchor: '', lang: 'en', text: 'First.' },
    {
      topic: 'backup',
      topicTitle: 'Back up',
      title: 'By hand (slow)',
      anchor: 'by-hand-slow',
      lang: 'en',
      text: '```\n# a comment\n```',
    },
  ]);
});

test('sections with the words in their heading come first', () => {
  const guide = sectionsOf('x', '# Film\n\nA bill.\n\n## Bill\n\nOf all.\n\n## Other\n\nNone.\n', 'en');
  expect(sectionsWith(' BILL ', guide).map(({ title }) => title)).toEqual(['Bill', 'Film']);
  expect(sectionsWith('film none', guide).map(({ title }) => title)).toEqual(['Other']);
  expect(sectionsWith(' ', guide)).toEqual([]);
});
