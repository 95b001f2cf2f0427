/** Records the program's system calls for the test's process as they happen, and plays the user's actions for the test. */

export interface Told {
  name: string;
  args: unknown[];
}

export interface MessageBox {
  options: { message: string; detail?: string; buttons?: string[]; defaultId?: number; cancelId?: number };
  /** Presses the button at this index. */
  answer(button: number): void;
}

class Double {
  readonly told: Told[] = [];
  /** Message boxes that wait for the user. */
  readonly boxes: MessageBox[] = [];
  /** The user's choice in save dialogs; without it each is cancelled. */
  saveTo: string | undefined;
  /** Tray icons that the user can click. */
  readonly trays: object[] = [];
  readonly blockers = new Set<number>();
  menu: unknown;
  /** The context menu that was shown last. */
  popup: unknown;

  tell(name: string, ...args: unknown[]): void {
    this.told.push({ name, args });
    if (process.connected) process.send?.({ told: { name, args } });
  }
}

export const double = new Double();

/** `DOUBLE_KEYRING=gnome_libsecret` and similar: the simulated defects of the machine. */
export const played = (name: string): string | undefined => process.env[`DOUBLE_${name}`];
