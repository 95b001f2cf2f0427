/** What a page of the browser host may call with: kept in the storage of its origin, which no other port of this machine reaches. */

interface PageKeys {
  page?: string;
  media?: string;
}

const PLACE = 'dailies.keys';
/** Where the storage is shut off: until the page is closed. */
let unkept: PageKeys = {};

/** The ticket that the first address carries; it leaves the address, and works once. */
export function takeTicket(): string | undefined {
  const ticket = /^#ticket=([\w-]+)$/.exec(window.location.hash)?.[1];
  if (ticket !== undefined) window.history.replaceState(null, '', window.location.pathname);
  return ticket;
}

/** Read each time: another page of this origin may have signed in since. */
export function pageKey(): string | undefined {
  const { page, media } = stored();
  return window.location.pathname === '/media.html' ? media : page;
}

/** Exchanges the ticket for keys; what is kept already stays where it is not valid any more. */
export async function signIn(ticket: string): Promise<void> {
  const response = await fetch('/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ticket }),
  });
  const answer = (await response.json()) as { ok: boolean; data: PageKeys };
  if (answer.ok) keep({ ...stored(), ...answer.data });
}

function stored(): PageKeys {
  try {
    return { ...unkept, ...(JSON.parse(window.localStorage.getItem(PLACE) ?? '{}') as PageKeys) };
  } catch {
    return unkept;
  }
}

function keep(keys: PageKeys): void {
  try {
    window.localStorage.setItem(PLACE, JSON.stringify(keys));
  } catch {
    unkept = keys;
  }
}
