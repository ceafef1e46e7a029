/**
 * Shows why something that needs the change log could not be loaded.
 */
import { Alert } from '@mantine/core';
import { ApiProblem } from '../../api.ts';
import { ProblemAlert } from './problem-alert.tsx';

/** An alert for an error; a notice where the store keeps no change log; nothing without an error. */
export function HistoryProblem({
  error,
  title,
  onRetry,
}: {
  error: unknown;
  title: string;
  onRetry?: (() => unknown) | undefined;
}) {
  if (!isWithoutLog(error)) return <ProblemAlert error={error} title={title} onRetry={onRetry} />;
  return (
    <Alert color="gray" title="History is not available">
      {error.message}
    </Alert>
  );
}

/** Whether an error says that the store keeps no change log. */
export function isWithoutLog(error: unknown): error is ApiProblem {
  return error instanceof ApiProblem && error.code === 'not_supported';
}
