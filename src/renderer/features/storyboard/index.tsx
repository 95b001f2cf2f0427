import { EmptyState } from '../../ui/index.ts';

export function StoryboardPage() {
  return (
    <main className="page">
      <EmptyState title="Storyboard">This page is not in this build.</EmptyState>
    </main>
  );
}
