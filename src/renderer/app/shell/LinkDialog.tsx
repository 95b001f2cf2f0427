import { t } from '../../../shared/texts.ts';
import { Button, Dialog } from '../../ui/index.ts';
import styles from '../app.module.css';
import { dismissLink, followLink, useAskedLink } from '../state/hostEvents.ts';

const NAMES = { job: t`Job`, asset: t`File`, project: t`Project` } as const;

/** A link from outside Dailies: what it names is shown here before anything on the screen changes. */
export function LinkDialog() {
  const link = useAskedLink((state) => state.link);
  const footer = (
    <>
      <Button variant="ghost" onClick={dismissLink}>
        {t`Stay here`}
      </Button>
      <Button variant="primary" onClick={followLink}>
        {t`Show it`}
      </Button>
    </>
  );
  return (
    <Dialog open={link !== undefined} onClose={dismissLink} title={t`Show what a link names?`} footer={footer}>
      {link && (
        <div className="col gap">
          <h3 className={styles.linkName}>
            {NAMES[link.thing]}: {link.title}
          </h3>
          <p className="t2">
            {t`A link from outside Dailies names it. It is only shown: nothing is sent, nothing is paid, and nothing is changed.`}
          </p>
        </div>
      )}
    </Dialog>
  );
}
