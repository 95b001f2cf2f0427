import type { Drive } from './drive.ts';

/**
 * Restores one project of a backup as a copy, and the whole backup over newer documents: a project, a shot, a chat, a job and a plan of each
 * kind.
 */
export async function putBack({ does, ask }: Drive, projectId: string): Promise<void> {
  const { conversationId } = await ask('chat.create', { title: 'Talk' });
  const { id } = await does('backups.make', {});
  await does('queue.pause', {});
  await does('chat.send', { conversationId, text: 'Hello', model: 'language' });
  await does('chat.create', { title: 'New' });
  await does('projects.create', { name: 'New' });
  const board = await ask('storyboard.get', { projectId });
  await does('storyboard.save', { ...board, shots: board.shots.slice(1) });
  await does('night.savePlan', { name: 'New', plan: { start: '23:00', end: '07:00', capNano: 3 } });
  await does('backups.copyProject', { id, projectId });
  await does('backups.restore', { id });
  await ask('chat.remove', { conversationId });
  await does('queue.resume', {});
}
