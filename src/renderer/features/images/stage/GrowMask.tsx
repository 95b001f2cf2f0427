import { Maximize2 } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import type { Asset } from '../../../../shared/asset.ts';
import { t } from '../../../../shared/texts.ts';
import { useShortcut } from '../../../app/index.ts';
import { addEdit, MAX_GROW } from '../../../canvas/index.ts';
import { Button, Field, Icon, IconButton, NumberInput, Popover, WhyOff } from '../../../ui/index.ts';
import styles from '../images.module.css';
import { useMask } from '../useImages.ts';

/** Makes the whole mask wider or narrower by so many pixels, as one step that can be undone. */
export function GrowMask({ asset, isEmpty }: { asset: Asset; isEmpty: boolean }) {
  const [isOpen, setOpen] = useState(false);
  const hint = useShortcut('painter.grow', () => setOpen(true), !isEmpty);
  const trigger = (
    <IconButton label={t`Grow or shrink the mask, ${hint}`} off={isEmpty ? t`Nothing painted yet.` : undefined}>
      <Icon of={Maximize2} />
    </IconButton>
  );
  return (
    <Popover title={t`Grow and shrink`} trigger={trigger} open={isOpen} onOpen={(next) => setOpen(next && !isEmpty)}>
      <GrowForm asset={asset} onClose={() => setOpen(false)} />
    </Popover>
  );
}

function GrowForm({ asset, onClose }: { asset: Asset; onClose: () => void }) {
  const [by, setBy] = useState(2);
  const [, change] = useMask(asset);
  const set = (next: number | null) => setBy(Math.min(MAX_GROW, Math.max(-MAX_GROW, Math.round(next ?? 0))));
  const apply = (event: FormEvent) => {
    event.preventDefault();
    if (by === 0) return;
    change((history) => addEdit(history, { kind: 'grow', by }));
    onClose();
  };
  return (
    <form className={`col ${styles.growMask}`} onSubmit={apply}>
      <b>{t`Grow and shrink`}</b>
      <div className="row">
        <NumberInput
          aria-label={t`Pixels, negative to shrink`}
          value={by}
          min={-MAX_GROW}
          max={MAX_GROW}
          unit="px"
          format={{ signDisplay: 'exceptZero', maximumFractionDigits: 0 }}
          onValue={set}
        />
        <span className="t3">{by > 0 ? t`wider` : by < 0 ? t`narrower` : t`no change`}</span>
      </div>
      <Field label={t`Feather`} disabled>
        <NumberInput value={0} unit="px" onValue={() => {}} />
      </Field>
      <WhyOff>{t`Masks are black and white only. Soften the edge when you restore the original.`}</WhyOff>
      <p className="t3">{t`The mask does not shrink at the picture's edge.`}</p>
      <div className="row">
        <Button variant="ghost" onClick={onClose}>
          {t`Leave`}
        </Button>
        <Button type="submit" off={by === 0 ? t`Enter a number other than 0.` : undefined}>
          {by < 0 ? t`Shrink` : t`Grow`}
        </Button>
      </div>
    </form>
  );
}
