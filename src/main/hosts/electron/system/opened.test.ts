import { expect, test } from 'vitest';
import { bundlePath, openedBy, parseLink, wordsOpening } from './opened.ts';

test('a link names a job, a file or a project by its id', () => {
  expect(parseLink('dailies://job/job_01jd')).toEqual({ thing: 'job', id: 'job_01jd' });
  expect(parseLink('dailies://asset/ast_x')).toEqual({ thing: 'asset', id: 'ast_x' });
  expect(parseLink('dailies://project/prj_x-1')).toEqual({ thing: 'project', id: 'prj_x-1' });
});

test.each([
  'dailies://job/',
  'dailies://job',
  'dailies://retry/job_1',
  'dailies://job/job_1?send=now',
  'dailies://job/job_1#top',
  'dailies://job/../../etc',
  'dailies://job/a/b',
  'dailies://job/%6a',
  'dailies://job/ä',
  'dailies://user@job/job_1',
  'dailies://job:80/job_1',
  'DAILIES://job/job_1 --no-sandbox',
  ' dailies://job/job_1',
  'https://job/job_1',
  'dailies:job/job_1',
  `dailies://job/${'a'.repeat(101)}`,
  `dailies://job/${'a'.repeat(1_000_000)}`,
  '',
])('%.60s is no link of ours', (text) => expect(parseLink(text)).toBeUndefined());

test('a command line opens its last word, which is neither a flag nor the value of one', () => {
  const program = '/opt/Dailies/dailies';
  expect(openedBy([program, '/films/ferry.dailies'], '/home')).toEqual({ bundle: '/films/ferry.dailies' });
  expect(openedBy([program, '--no-sandbox', 'Ferry.DAILIES'], '/films')).toEqual({ bundle: '/films/Ferry.DAILIES' });
  expect(openedBy([program, 'dailies://job/job_1'], '/')).toEqual({ link: { thing: 'job', id: 'job_1' } });
  expect(openedBy([program, '.', '--data-dir', '/tmp/a.dailies'], '/')).toBeUndefined();
  expect(openedBy(['/opt/x.dailies'], '/')).toBeUndefined();
  expect(openedBy([program, '--open=x.dailies'], '/')).toBeUndefined();
  expect(openedBy([program, '/films/ferry.mp4'], '/')).toBeUndefined();
});

test('a path is bounded, and holds no end of text', () => {
  expect(bundlePath(`/${'a'.repeat(5_000)}.dailies`, '/')).toBeUndefined();
  expect(bundlePath('/a\0.dailies', '/')).toBeUndefined();
});

test('a start like this one keeps its flags, shows its window, and opens something else', () => {
  const link = { link: { thing: 'job', id: 'job_1' } } as const;
  const argv = ['/opt/Dailies/dailies', '--at-login', '--data-dir', '/films', '/films/ferry.dailies'];
  expect(wordsOpening(undefined, argv)).toEqual(['--data-dir', '/films']);
  expect(wordsOpening(link, argv)).toEqual(['--data-dir', '/films', 'dailies://job/job_1']);
  expect(wordsOpening({ bundle: '/new.dailies' }, argv)).toEqual(['--data-dir', '/films', '/new.dailies']);
  // The program itself, in development.
  expect(wordsOpening(link, ['electron', '.'])).toEqual(['.', 'dailies://job/job_1']);
});
