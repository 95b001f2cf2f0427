import type { Locator } from 'playwright';
import type { Board, Shot } from '../../src/shared/board.ts';
import { labels } from '../labels.ts';
import type { Hands } from './hands.ts';
import type { Program } from './program.ts';

/** What is done on the board again and again, with the mouse or with the keyboard. */
export class FilmSteps {
  private readonly program: Program;
  private readonly hands: Hands;

  constructor(program: Program, hands: Hands) {
    this.program = program;
    this.hands = hands;
  }

  button(name: RegExp): Locator {
    return this.program.page.getByRole('button', { name });
  }

  heading(name: string | RegExp): Promise<void> {
    return this.program.page.getByRole('heading', { name, exact: true }).waitFor();
  }

  /** Of the only project. */
  async board(): Promise<Board> {
    const { projects } = await this.program.host.ask('projects.list');
    return this.program.host.ask('storyboard.get', { projectId: projects[0]?.id ?? '' });
  }

  async shots(): Promise<Shot[]> {
    return (await this.board()).shots;
  }

  goTo(page: string): Promise<void> {
    // A link's name may go on with a count.
    const link = this.program.page
      .getByRole('navigation', { name: labels.pages })
      .getByRole('link', { name: new RegExp(`^${page}(,|$)`) });
    return this.hands.press(link, page === labels.board ? 'Alt+2' : 'Alt+4');
  }

  toBoardTab(): Promise<void> {
    return this.hands.press(this.program.page.getByRole('tab', { name: labels.board, exact: true }));
  }

  async pickShot(number: number): Promise<void> {
    await this.hands.press(this.program.page.getByRole('option', { name: new RegExp(`^Shot ${number}, `) }));
    await this.heading(`Shot ${number}`);
  }

  /** The side of the board with the button that spends. */
  get send(): Locator {
    return this.program.page.getByRole('complementary', { name: labels.shotSettings });
  }
}
