import { ChevronRight, Film, type LucideIcon, Plug } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { NEW_SHOT_CONFIG } from '../../../shared/board/board.ts';
import { quantityOfClips } from '../../../shared/kinds/video.ts';
import { isBlank } from '../../../shared/text/nulCharacters.ts';
import { t } from '../../../shared/text/texts.ts';
import {
  cacheJobs,
  createFilm,
  firstVideoModel,
  focusOnArrival,
  Mark,
  MoneyPlate,
  navigate,
  openSample,
  saveSettings,
  showRefusal,
  useAction,
  useIsPlay,
  useStudio,
} from '../../app/index.ts';
import { type PriceNow, SpendBar, sendOnce, usePrice } from '../../spending/index.ts';
import { Icon, PriceWords, Refusal, TextArea } from '../../ui/index.ts';
import styles from './start.module.css';
import welcome from './welcome.webp';

/** Leaves this page for good. If that cannot be stored, the page is shown once more at the next start. */
async function leave(): Promise<void> {
  const answer = await saveSettings({ welcomed: true });
  if (answer.ok) return;
  useStudio.setState(({ settings }) => (settings ? { settings: { ...settings, welcomed: true } } : {}));
  showRefusal(answer.error);
}

const toBoard = (): Promise<void> => {
  navigate('storyboard');
  return leave();
};

const toGateways = (): Promise<void> => {
  navigate('settings', {}, 'connect');
  return leave();
};

/** The first screen: a prompt and one button for the first take. */
export function StartPage() {
  const [prompt, setPrompt] = useState('');
  const question = useId();
  const sample = useAction();
  useEffect(() => {
    // A first take was requested before the window was reloaded: it is on the board with its prompt.
    if (useStudio.getState().settings?.projectId) void toBoard();
  }, []);
  const openTheSample = async () => {
    if ((await sample.run(openSample())).ok) await toBoard();
  };
  return (
    <main className={styles.start}>
      <figure className={styles.picture}>
        <img src={welcome} alt="" />
        <figcaption className="ov">{t`Shot 1 of the sample film`}</figcaption>
      </figure>
      <div className={styles.side}>
        <p className={`row b ${styles.brand}`}>
          <Mark />
          {t`Dailies`}
        </p>
        <div className={styles.middle}>
          <h1 id={question}>{t`What should the first shot show?`}</h1>
          <TextArea
            ref={focusOnArrival}
            aria-labelledby={question}
            placeholder={t`A place, a subject, the light, a camera move.`}
            value={prompt}
            onValue={setPrompt}
          />
          <FirstTake prompt={prompt.trim()} />
          <div className={styles.more}>
            <Way icon={Film} title={t`Open the sample film`} onChoose={() => !sample.isBusy && void openTheSample()}>
              {t`Last Ferry, 5 shots with takes, ready to play.`}
            </Way>
            <Way icon={Plug} title={t`Connect a gateway`} onChoose={() => void toGateways()}>
              {t`Use your own key and real money. You can do this later.`}
            </Way>
          </div>
          <Refusal text={sample.refusal} />
        </div>
        <p className="t2">
          {t`Dailies starts with its sandbox, a gateway on this computer. The sandbox makes simple drawn clips with test money.`}
        </p>
      </div>
    </main>
  );
}

/** Creates the film with the prompt in its first shot, and requests its first take. */
function FirstTake({ prompt }: { prompt: string }) {
  const model = useStudio(firstVideoModel);
  const isPlay = useIsPlay();
  const now = usePrice(model ? { kind: 'video', model, quantity: quantityOfClips(FIRST_CLIP) } : undefined);
  const send = useFirstTake(prompt, now);
  const what = t`${FIRST_CLIP.config.durationSeconds} s clip`;
  const off = isBlank(prompt) ? t`Write a sentence first.` : now.off;
  return (
    <div className={styles.go}>
      <SpendBar
        label={
          <>
            {t`Make the first take`}{' '}
            {now.price && (
              <PriceWords nano={now.price.estimateNano} lowNano={now.price.lowNano} unpriced={now.price.unpriced} />
            )}
          </>
        }
        off={off}
        onSend={send}
      >
        <p className="row t2">
          <MoneyPlate />
          {off === undefined && (isPlay ? t`${what}, not billed` : what)}
        </p>
      </SpendBar>
    </div>
  );
}

const FIRST_CLIP = { config: NEW_SHOT_CONFIG };

/** Pressing again with the same prompt repeats the same film, shot and request; another prompt starts another film. */
function useFirstTake(prompt: string, { shown }: PriceNow) {
  const film = useRef<{ prompt: string; projectId: string; shotId: string }>(undefined);
  return async () => {
    if (film.current?.prompt !== prompt) {
      const made = await createFilm(prompt);
      if (!made.ok) return made.error;
      film.current = { prompt, ...made.data };
    }
    const { projectId, shotId } = film.current;
    // From here on a reloaded window opens the board.
    const opened = await saveSettings({ projectId });
    if (!opened.ok) return opened.error;
    const answer = await sendOnce('storyboard.makeTake', { projectId, shotId, shown }, { content: prompt });
    if (!answer.ok) return answer.error;
    cacheJobs([answer.data.job]);
    await toBoard();
    return undefined;
  };
}

interface WayProps {
  icon: LucideIcon;
  title: string;
  onChoose: () => void;
  children: string;
}

const Way = ({ icon, title, onChoose, children }: WayProps) => (
  <button type="button" className="hovers" onClick={onChoose}>
    <Icon of={icon} />
    <span>
      <b>{title}</b>
      <br />
      <span className="t2">{children}</span>
    </span>
    <Icon of={ChevronRight} />
  </button>
);
