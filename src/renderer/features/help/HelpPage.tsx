import { Suspense, use, useState } from 'react';
import { t } from '../../../shared/text/texts.ts';
import {
  BackButton,
  type HelpSection,
  openHelp,
  parseRoute,
  readGuide,
  sectionsWith,
  usePlace,
  useRoute,
} from '../../app/index.ts';
import { actionOf } from '../../app/keys/shortcuts.ts';
import { EmptyState, Panel, TextInput } from '../../ui/index.ts';
import { Article } from './Article.tsx';
import styles from './help.module.css';

export function HelpPage() {
  usePlace('help');
  const [guide] = useState(readGuide);
  return (
    <Suspense>
      <Guide read={guide} />
    </Suspense>
  );
}

/** The offline guide: its pages or search results at the left, one page at the right. */
function Guide({ read }: { read: Promise<readonly HelpSection[]> }) {
  const { part, params } = useRoute();
  const guide = use(read);
  const [words, setWords] = useState('');
  const pages = guide.filter(({ anchor }) => anchor === '');
  const topic = (pages.find((page) => page.topic === part) ?? pages[0])?.topic ?? '';
  const sections = guide.filter((section) => section.topic === topic);
  const { title = '', lang } = sections[0] ?? {};
  const from = params.get('from') ?? '';
  return (
    <main data-page="help" className={`page ${styles.help}`}>
      <Panel label={t`Contents`} side="left">
        <div className="bar">
          <h1>{t`Help`}</h1>
        </div>
        <div className={`row ${styles.find}`}>
          <TextInput className="grow" aria-label={t`Search`} placeholder={t`Search`} value={words} onValue={setWords} />
        </div>
        <Contents sections={words.trim() === '' ? pages : sectionsWith(words, guide)} topic={topic} />
      </Panel>
      <Panel label={t`Guide`} side="centre">
        <div className="bar">
          <h2 id="help-title" lang={lang}>
            {title}
          </h2>
          <span className="grow" />
          <BackButton onLeave={() => (window.location.hash = from)}>
            {actionOf(`page.${parseRoute(from).page}`).label}
          </BackButton>
        </div>
        <Article sections={sections} />
      </Panel>
    </main>
  );
}

function Contents({ sections, topic }: { sections: readonly HelpSection[]; topic: string }) {
  if (sections.length === 0) return <EmptyState title={t`Nothing found`} />;
  return (
    <ul className={`lines scroll ${styles.contents}`}>
      {sections.map((section) => (
        <li key={`${section.topic} ${section.anchor}`} lang={section.lang}>
          <button
            type="button"
            aria-current={(section.anchor === '' && section.topic === topic) || undefined}
            onClick={() => openHelp(section.topic, section.anchor)}
          >
            <span className="grow cut">{section.title}</span>
            {section.anchor !== '' && <span className="t3 cut">{section.topicTitle}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
