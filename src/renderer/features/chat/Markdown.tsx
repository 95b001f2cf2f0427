/** @jsxImportSource react */

import type { Tokens } from 'marked';
import { type ComponentProps, memo, type ReactNode, useMemo, useRef } from 'react';
import ReactMarkdown, { type Components } from 'react-markdown';
import { t } from '../../../shared/text/texts.ts';
import { copyText } from '../../app/index.ts';
import { Boundary, TextAction } from '../../ui/index.ts';
import { type Block, NO_BLOCKS, readOn } from './blocks.ts';
import { InPieces } from './InPieces.tsx';
import { hasLongWord } from './limits.ts';
import styles from './message.module.css';
import { OutsideLink } from './OutsideLink.tsx';

/** Text as it was written, without name protection: the text of a conversation is not a list of names. */
export const Words = ({ className, text }: { className?: string; text: string }) => (
  <div className={className}>
    <InPieces text={text} />
  </div>
);

/** Markdown of a model. Raw HTML is never rendered, pictures are not fetched, and links ask before they open. */
export function Markdown({ text, growing }: { text: string; growing?: boolean }) {
  const read = useRef(NO_BLOCKS);
  const blocks = useMemo(() => {
    read.current = readOn(read.current, text);
    return read.current;
  }, [text]);
  return (
    <div className={growing ? `${styles.body} ${styles.growing}` : styles.body}>
      {runsOf([...blocks.settled, ...blocks.tail]).map((run, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end.
        <RunView key={index} run={run} />
      ))}
    </div>
  );
}

/** Blocks are memoized in runs of this length, so that one more piece costs the same in a long answer as in a short one. */
const RUN = 32;

function runsOf(blocks: readonly Block[]): (readonly Block[])[] {
  const runs: (readonly Block[])[] = [];
  for (let at = 0; at < blocks.length; at += RUN) runs.push(blocks.slice(at, at + RUN));
  return runs;
}

const RunView = memo(
  function RunView({ run }: { run: readonly Block[] }) {
    return run.map((block, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: blocks only ever grow at the end.
      <Boundary key={index} of={block.raw} instead={() => <Plain text={block.raw} />}>
        <BlockView block={block} />
      </Boundary>
    ));
  },
  (before, after) =>
    before.run.length === after.run.length && before.run.every((block, index) => block === after.run[index]),
);

const BlockView = memo(
  function BlockView({ block }: { block: Block }) {
    const { raw, token } = block;
    if (!token) return <Plain text={raw} />;
    if (token.type === 'space') return null;
    if (token.type === 'code') return <Code {...(token as Tokens.Code)} />;
    if (token.type === 'table') return <Table table={token as Tokens.Table} />;
    const drawn = <ReactMarkdown components={COMPONENTS}>{raw}</ReactMarkdown>;
    return hasLongWord(raw) ? <div className={styles.longWords}>{drawn}</div> : drawn;
  },
  (before, after) => before.block.raw === after.block.raw && !before.block.token === !after.block.token,
);

const Plain = ({ text }: { text: string }) => (
  <p className={styles.plain}>
    <InPieces text={text.trimEnd()} />
  </p>
);

function Code({ text, lang }: Tokens.Code) {
  return (
    <figure className={styles.code}>
      <figcaption className="row">
        <span className="t3 grow">{lang || 'text'}</span>
        <TextAction onClick={() => void copyText(text)}>{t`Copy`}</TextAction>
      </figcaption>
      <pre>
        <code>
          <InPieces text={text} />
        </code>
      </pre>
    </figure>
  );
}

function Table({ table }: { table: Tokens.Table }) {
  return (
    <section
      className={`${styles.mdScroll} ${hasLongWord(table.raw) ? styles.longWords : ''}`}
      aria-label={t`Table`}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys.
      tabIndex={0}
    >
      <table className={`tbl ${styles.mdTable}`}>
        <thead>
          <tr>
            {table.header.map((cell, column) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a table's cells have no other name.
              <th key={column}>
                <Inline text={cell.text} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a table's cells have no other name.
            <tr key={line}>
              {row.map((cell, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a table's cells have no other name.
                <td key={column}>
                  <Inline text={cell.text} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

const bare = ({ children }: { children?: ReactNode }) => children;
const INLINE_MARKUP = /[*_[\]`~<&\\!]/;

/** Most cells are plain text, and there may be thousands of them. */
function Inline({ text }: { text: string }) {
  if (!INLINE_MARKUP.test(text)) return text;
  return <ReactMarkdown components={IN_CELLS}>{text}</ReactMarkdown>;
}

/** All headings of a model have one level: the page's own headings are above them, and a model may skip levels. */
const Heading = ({ children }: { children?: ReactNode }) => <h2>{children}</h2>;

const COMPONENTS: Components = {
  h1: Heading,
  h2: Heading,
  h3: Heading,
  h4: Heading,
  h5: Heading,
  h6: Heading,
  a: ({ href, children }: ComponentProps<'a'>) => <OutsideLink href={href}>{children}</OutsideLink>,
  img: ({ src, alt }: ComponentProps<'img'>) => (
    <OutsideLink href={typeof src === 'string' ? src : undefined}>{alt ? t`Picture: ${alt}` : t`Picture`}</OutsideLink>
  ),
};

const IN_CELLS: Components = { ...COMPONENTS, p: bare };
