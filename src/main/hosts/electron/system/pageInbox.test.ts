import { expect, test } from 'vitest';
import type { HostEvent } from '../../../../shared/contract/hostEvents.ts';
import { PageInbox } from './pageInbox.ts';

const link = (id: string): HostEvent => ({ type: 'host.link', thing: 'job', id });

test('what comes before the page is painted is sent afterwards, in order and bounded', () => {
  const sent: HostEvent[] = [];
  const inbox = new PageInbox((event) => sent.push(event));
  for (let at = 0; at < 12; at += 1) inbox.post(link(`${at}`));
  expect(sent).toEqual([]);
  inbox.painted();
  expect(sent.map((event) => ('id' in event ? event.id : ''))).toEqual([
    '2',
    '3',
    '4',
    '5',
    '6',
    '7',
    '8',
    '9',
    '10',
    '11',
  ]);
  inbox.post(link('now'));
  expect(sent).toHaveLength(11);
  inbox.left();
  inbox.post(link('later'));
  expect(sent).toHaveLength(11);
  inbox.painted();
  expect(sent.at(-1)).toEqual(link('later'));
});
