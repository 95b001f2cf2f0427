import { create } from 'zustand';

/** What became of a press. */
export interface Sent {
  isBusy: boolean;
  error: string | undefined;
  /** It is not known whether the studio did what it was asked for. */
  isUnknown: boolean;
  /** What was sent all the same, where the failure says it itself. */
  sent?: string | undefined;
  /** It was for tonight. */
  isForNight: boolean;
  /** Which press it was. */
  press: number;
}

/** What is sent, by its name; or a part of a page, which forgets its presses when it is left. */
export type Sender = string | object;

/** The last press of each. One that is still answered has the same entry all the while, under whichever name. */
export const useSends = create<{ last: ReadonlyMap<Sender, Sent> }>()(() => ({ last: new Map() }));

function change(edit: (last: Map<Sender, Sent>) => void): void {
  const last = new Map(useSends.getState().last);
  edit(last);
  useSends.setState({ last });
}

export const lastOf = (sender: Sender): Sent | undefined => useSends.getState().last.get(sender);

export const keepSent = (sender: Sender, sent: Sent): void => change((last) => last.set(sender, sent));

/** Whether there is still a place for the answer to a press: one that was forgotten meanwhile changes nothing. */
export function answerSent(begun: Sent, answered: Sent): boolean {
  const senders = [...useSends.getState().last].filter(([, sent]) => sent === begun).map(([sender]) => sender);
  for (const sender of senders) keepSent(sender, answered);
  return senders.length > 0;
}

export function forgetSent(sender: Sender): void {
  if (lastOf(sender)) change((last) => last.delete(sender));
}

/** What is being sent has another name from now on, such as that of the chat that its first message has made: what becomes of it is shown there. */
export function renameSent(from: string, to: string): void {
  const sent = lastOf(from);
  if (!sent?.isBusy) return;
  change((last) => {
    last.delete(from);
    last.set(to, sent);
  });
}
