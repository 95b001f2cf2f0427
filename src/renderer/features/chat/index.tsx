import { EmptyState } from '../../ui/index.ts';

export function ChatPage() {
  return (
    <main className="page">
      <EmptyState title="Chat">This page is not in this build.</EmptyState>
    </main>
  );
}
