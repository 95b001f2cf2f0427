import { create } from 'zustand';

/** What the Cast tab shows at its right: the chosen shot, or a member of the cast. */
interface CastView {
  memberId: string | undefined;
  /** The member was added just now, and has no name of its own yet. */
  isNew: boolean;
}

export const useCastView = create<CastView>()(() => ({ memberId: undefined, isNew: false }));

export const selectMember = (memberId: string | undefined, isNew = false): void =>
  useCastView.setState({ memberId, isNew });
