import { EmptyState } from '../../ui/index.ts';

export function ImagesPage() {
  return (
    <main className="page">
      <EmptyState title="Images">This page is not in this build.</EmptyState>
    </main>
  );
}
