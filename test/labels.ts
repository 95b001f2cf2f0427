import { account } from './labels/account.ts';
import { board } from './labels/board.ts';
import { common } from './labels/common.ts';
import { pictures } from './labels/pictures.ts';
import { queue } from './labels/queue.ts';

/** What tests look for on pages, by short names: a label that says something else from now on is changed in one line. */
export const labels = { ...common, ...board, ...queue, ...pictures, ...account };

const escaped = (label: string): string => label.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** A name that begins with the label, and may go on with a price or a key. */
export const starting = (label: string): RegExp => new RegExp(`^${escaped(label)}`);

/** A name that is the label and nothing else. */
export const whole = (label: string): RegExp => new RegExp(`^${escaped(label)}$`);
