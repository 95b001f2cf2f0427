import { EmptyState } from '../../ui/index.ts';

export function QueuePage() {
  return (
    <main className="page">
      <EmptyState title="Queue">This page is not in this build.</EmptyState>
    </main>
  );
}
