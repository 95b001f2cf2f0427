/** @jsxImportSource react */

import { type ComponentProps, type ReactNode, useEffect, useRef } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { focusOnArrival, type HelpSection, openHelp, showRefusal, useRoute } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import styles from './help.module.css';

/** One page of the guide, scrolled to the requested heading. */
export function Article({ sections }: { sections: readonly HelpSection[] }) {
  const page = useRef<HTMLElement>(null);
  const { params } = useRoute();
  useEffect(() => {
    const at = params.get('at') ?? '';
    const asked = [...(page.current?.children ?? [])].find(({ id }) => id === at);
    (asked ?? page.current?.firstElementChild)?.scrollIntoView();
    focusOnArrival(page.current);
  }, [params]);
  return (
    <article
      className={`scroll panel-ring ${styles.article}`}
      aria-labelledby="help-title"
      lang={sections[0]?.lang}
      ref={page}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and is read by keyboard.
      tabIndex={0}
    >
      {sections.map(({ anchor, title, text }) => (
        <section key={anchor} id={anchor || undefined}>
          {anchor !== '' && <h3>{title}</h3>}
          <ReactMarkdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
            {text}
          </ReactMarkdown>
        </section>
      ))}
    </article>
  );
}

const Heading = ({ children }: { children?: ReactNode }) => <h4>{children}</h4>;

/** A link to another page of the guide, or to the web. A link to a source file is shown as text. */
function GuideLink({ href = '', children }: ComponentProps<'a'>) {
  const [, topic, anchor] = /^(?:\.\.\/)?(?:([\w-]+)\.md)?(?:#(.+))?$/.exec(href) ?? [];
  if (!href.startsWith('https:') && !topic && !anchor) return <span>{children}</span>;
  const go = async () => {
    if (!href.startsWith('https:')) return openHelp(topic, anchor);
    const opened = await call('app.openExternal', { url: href });
    if (!opened.ok) showRefusal(opened.error);
  };
  return (
    <a
      href={href}
      onClick={(event) => {
        event.preventDefault();
        void go();
      }}
    >
      {children}
    </a>
  );
}

const COMPONENTS: Components = { h3: Heading, a: GuideLink };
