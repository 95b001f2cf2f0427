import { EmptyState } from '../../ui/index.ts';

export function SettingsPage() {
  return (
    <main className="page">
      <EmptyState title="Settings">This page is not in this build.</EmptyState>
    </main>
  );
}
