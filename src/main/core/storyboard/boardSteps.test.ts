import { expect, test } from 'vitest';
import { randomOf } from '../../../../test/torture/options.ts';
import { type Shot, shotSchema, takesOf } from '../../../shared/board.ts';
import { keepingTakes, type Way } from './boardSteps.ts';
import { BoardHistory } from './history.ts';

/** Random lives of a board, as the storyboard room plays them: whatever is done, undone and done again, no take is lost. */

class Life {
  shots: Shot[] = [];
  readonly held = new Map<string, Shot>();
  readonly history = new BoardHistory();
  readonly made: string[] = [];
  private count = 0;
  private readonly random: () => number;

  constructor(seed: number) {
    this.random = randomOf(seed);
  }

  private pick<T>(list: readonly T[]): T | undefined {
    return list[Math.floor(this.random() * list.length)];
  }

  private become(next: Shot[]): void {
    const here = new Set(next.map(({ id }) => id));
    for (const shot of this.shots) if (!here.has(shot.id)) this.held.set(shot.id, shot);
    for (const id of here) this.held.delete(id);
    this.shots = next;
  }

  private save(next: Shot[]): void {
    const from = this.shots;
    this.become(keepingTakes(from, next, this.held));
    this.history.record(from, this.shots);
  }

  step(way: Way): boolean {
    const before = this.shots;
    const prospect = this.history.look(way, before, this.held);
    if (!prospect) return false;
    this.become(prospect.shots);
    this.history.done(way, prospect);
    if (way === 'undo') {
      const now = new Set(this.shots.flatMap(({ takes }) => takes));
      expect(before.flatMap(({ takes }) => takes).filter((take) => !now.has(take))).toEqual([]);
    }
    return true;
  }

  private take(): void {
    const shot = this.pick(this.shots);
    if (!shot) return;
    const take = `t${this.made.length}`;
    this.made.push(take);
    this.shots = this.shots.map((one) =>
      one === shot ? { ...one, takes: [...one.takes, take], activeTake: one.activeTake ?? take } : one,
    );
    this.history.seal();
  }

  act(isTaking = true): string {
    const shot = this.pick(this.shots);
    const others = this.shots.filter((one) => one !== shot);
    const word = `w${Math.floor(this.random() * 4)}`;
    const patched = (patch: Partial<Shot>) => this.shots.map((one) => (one === shot ? { ...one, ...patch } : one));
    const deeds: [string, () => unknown][] = [
      ['add', () => this.save([...this.shots, shotSchema.parse({ id: `s${this.count++}`, prompt: word })])],
      ['remove', () => this.save(others)],
      ['move', () => shot && this.save([...others.slice(0, 1), shot, ...others.slice(1)])],
      ['edit', () => this.save(patched({ prompt: word }))],
      ['undo', () => this.step('undo')],
      ['redo', () => this.step('redo')],
    ];
    if (isTaking) {
      deeds.push(['take', () => this.take()]);
      deeds.push(['forget takes', () => this.save(patched({ takes: shot?.takes.slice(1) ?? [] }))]);
    }
    const [name, deed] = this.pick(deeds) ?? ['', () => undefined];
    deed();
    return name;
  }

  named(): string[] {
    return [...this.shots, ...this.held.values()].flatMap(takesOf).sort();
  }
}

test('no take is ever lost, or named twice, and every shot stands once', () => {
  const seen = new Set<string>();
  for (let seed = 1; seed <= 150; seed++) {
    const life = new Life(seed);
    for (let n = 0; n < 120; n++) {
      const deed = life.act();
      seen.add(deed);
      expect(life.named(), `seed ${seed}, ${n}: ${deed}`).toEqual([...life.made].sort());
      expect(new Set(life.shots.map(({ id }) => id)).size).toBe(life.shots.length);
    }
  }
  expect(seen.size).toBe(8);
});

test('taking everything back and doing it again ends where it was, where no take was made between', () => {
  for (let seed = 1; seed <= 150; seed++) {
    const life = new Life(seed);
    for (let n = 0; n < 60; n++) life.act(false);
    while (life.step('redo'));
    const end = life.shots;
    let steps = 0;
    while (life.step('undo')) steps += 1;
    expect([life.shots, steps > 0]).toEqual([[], true]);
    for (let n = 0; n < steps; n++) expect(life.step('redo')).toBe(true);
    expect(life.shots, `seed ${seed}`).toEqual(end);
  }
});
