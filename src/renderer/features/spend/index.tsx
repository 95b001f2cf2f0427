import { EmptyState } from '../../ui/index.ts';

export function SpendPage() {
  return (
    <main className="page">
      <EmptyState title="Spend">This page is not in this build.</EmptyState>
    </main>
  );
}
