import type { ReactNode } from 'react';
import { create } from 'zustand';
import { t } from '../../../shared/text/texts.ts';
import { copyText, showRefusal } from '../../app/index.ts';
import { call } from '../../client/index.ts';
import { Button, Dialog, rich } from '../../ui/index.ts';
import styles from './message.module.css';

/** Links that a model wrote. The real address is shown before it is opened, because the link text may name another one. */

const useAsked = create<{ url: URL | undefined }>()(() => ({ url: undefined }));

/** As a browser parses it, so that look-alike letters become visible (`xn--…`); undefined if it is not a web address. */
function webAddress(href: string | undefined): URL | undefined {
  const url = URL.canParse(href ?? '') ? new URL(href ?? '') : undefined;
  return url && ['http:', 'https:'].includes(url.protocol) ? url : undefined;
}

export function OutsideLink({ href, children }: { href?: string | undefined; children?: ReactNode }) {
  const url = webAddress(href);
  if (!url) return <span>{children}</span>;
  const isNamed = [children].flat().join('').includes(url.host);
  return (
    <>
      <a
        href={url.href}
        title={url.href}
        onClick={(event) => {
          event.preventDefault();
          useAsked.setState({ url });
        }}
        onAuxClick={(event) => event.preventDefault()}
      >
        {children}
      </a>
      {!isNamed && <span className="t3"> ({url.host})</span>}
    </>
  );
}

/** Shows the full address and asks before it is opened. */
export function AskedLink() {
  const url = useAsked((asked) => asked.url);
  if (!url) return null;
  const close = () => useAsked.setState({ url: undefined });
  const open = async () => {
    close();
    const opened = await call('app.openExternal', { url: url.href });
    if (!opened.ok) showRefusal(opened.error);
  };
  const footer = (
    <>
      <Button variant="ghost" onClick={close}>
        {t`Cancel`}
      </Button>
      <Button onClick={() => void copyText(url.href)}>{t`Copy address`}</Button>
      <Button variant="primary" onClick={() => void open()}>
        {t`Open`}
      </Button>
    </>
  );
  return (
    <Dialog open onClose={close} title={t`Open in your browser?`} footer={footer}>
      <p>{rich`A model wrote this address. It opens ${<b>{url.host}</b>}.`}</p>
      {url.username !== '' && <p>{t`The part before the @ is a user name, not the site.`}</p>}
      <p className={`mono ${styles.askedLink}`}>{url.href}</p>
    </Dialog>
  );
}
