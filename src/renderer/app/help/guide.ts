import contents from '../../../../docs/README.md?raw';
import { languageTag } from '../../../shared/text/texts.ts';

/** The guide in `docs`, as the help page shows it. */

const FILES = import.meta.glob<string>(['../../../../docs/guide/**/*.md', '../../../../docs/glossary.md'], {
  query: '?raw',
  import: 'default',
});

/** The part of a guide page from one heading to the next. */
export interface HelpSection {
  /** The file name without `.md`. */
  topic: string;
  topicTitle: string;
  title: string;
  /** A BCP 47 tag. */
  lang: string;
  /** The anchor of its heading, as in links of the guide; empty for the beginning of a page. */
  anchor: string;
  /** Its Markdown without the heading. */
  text: string;
}

/** Pages in the order of the table of contents, up to those for developers. */
const [forFilmMakers = ''] = contents.split('## For developers');
const TOPICS = [...forFilmMakers.matchAll(/\((?:guide\/)?([\w-]{1,40})\.md\)/g)].map(([, topic = '']) => topic);

/** The whole guide in the current language; pages without a translation are in English. */
export const readGuide = async (): Promise<readonly HelpSection[]> => (await Promise.all(TOPICS.map(readTopic))).flat();

async function readTopic(topic: string): Promise<HelpSection[]> {
  const path = (file: string) => FILES[`../../../../docs/${file}.md`];
  const lang = languageTag();
  const translated = path(`guide/${lang}/${topic}`);
  const load = translated ?? path(`guide/${topic}`) ?? path(topic);
  return sectionsOf(topic, (await load?.()) ?? '', translated ? lang : 'en');
}

/** Pictures are left out, since the program itself is on the screen. */
export function sectionsOf(topic: string, page: string, lang: string): HelpSection[] {
  const lines = page.split('\n').filter((line) => !line.startsWith('!['));
  const [first = '', ...others] = lines.join('\n').split('\n## ');
  const [topicTitle] = headed(first.slice('# '.length));
  return [first.slice('# '.length), ...others].map((part, index) => {
    const [title, text] = headed(part);
    return { topic, topicTitle, title, text, lang, anchor: index === 0 ? '' : anchorOf(title) };
  });
}

function headed(part: string): [title: string, text: string] {
  const [title = '', ...text] = part.split('\n');
  return [title.trim(), text.join('\n').trim()];
}

const anchorOf = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');

/** The sections that contain all the words; matches in the heading come first. */
export function sectionsWith(words: string, guide: readonly HelpSection[]): HelpSection[] {
  const asked = words.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (text: string) => asked.every((word) => text.toLowerCase().includes(word));
  const found =
    asked.length === 0 ? [] : guide.filter(({ topicTitle, title, text }) => has(`${topicTitle} ${title} ${text}`));
  return [...found.filter(({ title }) => has(title)), ...found.filter(({ title }) => !has(title))];
}
