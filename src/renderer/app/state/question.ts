import { useEffect } from 'react';
import { create } from 'zustand';

/** A question that a dialog of the shell asks. Where no dialog is there, or another question comes, its answer is `none`. */
export function questionOf<About extends object, Answer>(none: Answer) {
  type Asked = About & { answer: (answer: Answer) => void };
  const use = create<{ asked?: Asked | undefined; isShown: boolean }>()(() => ({ isShown: false }));
  const ask = (about: About): Promise<Answer> => {
    const { asked, isShown } = use.getState();
    asked?.answer(none);
    if (!isShown) return Promise.resolve(none);
    const { promise, resolve } = Promise.withResolvers<Answer>();
    const answer = (given: Answer) => {
      // An answer that comes late leaves the question that is asked by then.
      if (use.getState().asked?.answer === answer) use.setState({ asked: undefined });
      resolve(given);
    };
    use.setState({ asked: { ...about, answer } });
    return promise;
  };
  /** What is asked now, for its dialog. */
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
