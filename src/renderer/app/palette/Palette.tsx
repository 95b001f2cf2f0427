import { Dialog } from '@base-ui/react/dialog';
import { Search } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { t } from '../../../shared/text/texts.ts';
import { Icon, modalLayer, useOpener } from '../../ui/index.ts';
import { lazyPage } from '../lazyPage.ts';

const PaletteBody = lazyPage(async () => ({ default: (await import('./PaletteBody.tsx')).PaletteBody }));

/** Finds pages, actions, projects, jobs and pictures by name. */
export function Palette({ open, onClose }: { open: boolean; onClose: () => void }) {
  const [text, setText] = useState('');
  const opener = useOpener(open);
  const popup = useRef<HTMLDivElement>(null);
  /** The action may have focused a field or dialog. */
  const finalFocus = () => {
    const { activeElement: now, body } = document;
    return now === body || popup.current?.contains(now) ? opener() : false;
  };
  return (
    <Dialog.Root
      open={open}
      onOpenChange={(next) => !next && onClose()}
      onOpenChangeComplete={(next) => !next && setText('')}
    >
      <Dialog.Portal>
        <Dialog.Backdrop className="scrim" />
        <Dialog.Popup
          ref={modalLayer}
          className="pal-layer"
          finalFocus={finalFocus}
          aria-label={t`Find or run anything`}
        >
          <div ref={popup}>
            <Suspense fallback={<FirstWords text={text} onText={setText} />}>
              <PaletteBody text={text} onText={setText} onClose={onClose} />
            </Suspense>
          </div>
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

/** Takes typed text until the list is loaded: no key may reach the page behind. */
const FirstWords = ({ text, onText }: { text: string; onText: (text: string) => void }) => (
  <div className="pal">
    <div className="q">
      <Icon of={Search} />
      <input
        className="grow"
        aria-label={t`Find or run anything`}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
    </div>
  </div>
);
