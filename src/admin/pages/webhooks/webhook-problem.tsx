/**
 * Shows why webhooks could not be loaded.
 */
import { Alert } from '@mantine/core';
import { isWithoutLog, ProblemAlert } from '../../parts/problems/problem-alert.tsx';

/** An alert for an error; a notice where the store keeps no change log; nothing without an error. */
export function WebhookProblem({
  error,
  title,
  onRetry,
}: {
  error: unknown;
  title: string;
  onRetry: () => unknown;
}) {
  if (!isWithoutLog(error)) return <ProblemAlert error={error} title={title} onRetry={onRetry} />;
  return (
    <Alert color="gray" title="Webhooks are not available">
      {error.message}
    </Alert>
  );
}
