import { KINDS, modelsFor } from '../../../shared/kinds/index.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  MoneyPlate,
  newFilm,
  openProject,
  openSample,
  useAction,
  useActiveProfile,
  useOneAtATime,
  useStudio,
} from '../../app/index.ts';
import { usePrice } from '../../spending/index.ts';
import { Button, EmptyState, PriceTag, Refusal, rich } from '../../ui/index.ts';
import styles from './cards.module.css';
import { quantityOfShot } from './model/draft.ts';
import { emptyShot, plannedSeconds } from './model/shots.ts';

/** Without an open board: start the first film, or open an existing one. */
export function NoProject() {
  const projects = useStudio((state) => state.projects);
  const { refusal, run, isBusy } = useAction();
  const start = useOneAtATime(newFilm);
  return (
    <section className={styles.sbBlank} aria-label={t`Films`} data-panel tabIndex={-1}>
      <EmptyState
        title={projects.length === 0 ? t`New film` : t`Choose a film`}
        action={
          <div className="row wrap">
            {projects.slice(0, 8).map(({ id, name }) => (
              <Button key={id} onClick={() => void openProject(id)}>
                {name}
              </Button>
            ))}
            <Button variant="primary" onClick={() => void start()}>
              {t`New film`}
            </Button>
            <Button busy={isBusy} onClick={() => void run(openSample())}>{t`Open the sample film`}</Button>
          </div>
        }
      >
        <TakePrice />
      </EmptyState>
      <Refusal text={refusal} />
    </section>
  );
}

/** The price of a first take, shown before any button is pressed. */
export function TakePrice() {
  const model = modelsFor(KINDS.video, useActiveProfile()?.models)[0]?.id;
  const shot = emptyShot('', model ?? '');
  const { price } = usePrice(quantityOfShot(shot));
  if (!price) return null;
  return (
    <>
      {rich`A take of ${plannedSeconds(shot)} s with ${model} costs ${<PriceTag nano={price.estimateNano} lowNano={price.lowNano} unpriced={price.unpriced} />} ${<MoneyPlate />}.`}
    </>
  );
}
