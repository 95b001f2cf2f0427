import { EmptyState } from '../../ui/index.ts';

export function LibraryPage() {
  return (
    <main className="page">
      <EmptyState title="Library">This page is not in this build.</EmptyState>
    </main>
  );
}
