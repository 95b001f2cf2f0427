import { app, type Session } from 'electron';
import { isOwnPage } from './origin.ts';

/** Copying text and full-screen clips; every other permission is refused. */
const ALLOWED = ['clipboard-sanitized-write', 'fullscreen'];

/** No window shows, opens or embeds anything but our own pages. */
export function refuseForeignPages(): void {
  app.on('web-contents-created', (_, contents) => {
    const stay = (event: { preventDefault(): void; url: string }) => {
      if (!isOwnPage(event.url)) event.preventDefault();
    };
    contents.on('will-navigate', stay);
    contents.on('will-redirect', stay);
    contents.on('will-frame-navigate', stay);
    contents.on('will-attach-webview', (event) => event.preventDefault());
    contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  });
}

export function refusePermissions(session: Session): void {
  session.setPermissionRequestHandler((contents, permission, answer) =>
    answer(ALLOWED.includes(permission) && isOwnPage(contents.getURL())),
  );
  session.setPermissionCheckHandler((_, permission, origin) => ALLOWED.includes(permission) && isOwnPage(origin));
  session.setDevicePermissionHandler(() => false);
}
