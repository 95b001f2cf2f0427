import { useEffect } from 'react';
import { create } from 'zustand';

/** A question asked by a dialog of the shell. Without a dialog, or if another question follows, the answer is `none`. */
export function questionOf<About extends object, Answer>(none: Answer) {
  type Asked = About & { answer: (answer: Answer) => void };
  const use = create<{ asked?: Asked | undefined; isShown: boolean }>()(() => ({ isShown: false }));
  const ask = (about: About): Promise<Answer> => {
    const { asked, isShown } = use.getState();
    asked?.answer(none);
    if (!isShown) return Promise.resolve(none);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const answer = (given: Answer) => {
      // A late answer must not close the next question.
      if (use.getState().asked?.answer === answer) use.setState({ asked: undefined });
      resolve(given);
    };
    use.setState({ asked: { ...about, answer } });
    return promise;
  };
  /** The current question, for its dialog. */
  const useAsked = (): Asked | undefined => {
    useEffect(() => {
      use.setState({ isShown: true });
      return () => {
        use.setState({ isShown: false });
        use.getState().asked?.answer(none);
      };
    }, []);
    return use(({ asked }) => asked);
  };
  return { use, ask, useAsked };
}
