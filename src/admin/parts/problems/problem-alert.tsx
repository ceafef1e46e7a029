/**
 * Shows why something failed, also where the store keeps no history.
 */
import { Alert, Button, List } from '@mantine/core';
import type { ComponentType } from 'react';
import { ApiProblem } from '../../api.ts';

/**
 * An alert for an error, with a button that tries again if `onRetry` is given; nothing without an error. Screen readers announce
 * it at once.
 */
export function ProblemAlert({
  error,
  title,
  nameOf = (path) => path,
  onRetry,
}: {
  error: unknown;
  title: string;
  /** Names the place of a problem, as the form does. */
  nameOf?: ((path: string) => string) | undefined;
  onRetry?: (() => unknown) | undefined;
}) {
  if (error === null || error === undefined) return null;
  const problems = error instanceof ApiProblem ? error.problems : [];
  return (
    <Alert color="red" variant="light" title={title} role="alert">
      {problems.length === 0 && (error instanceof Error ? error.message : String(error))}
      {problems.length > 0 && (
        <List size="sm">
          {problems.map(({ path, message, line, column }) => (
            <List.Item key={`${path} ${line} ${column} ${message}`}>
              <strong>{nameOf(path)}</strong> {message}
              {line !== undefined && ` (line ${line}, column ${column})`}
            </List.Item>
          ))}
        </List>
      )}
      {onRetry && (
        <Button size="xs" variant="default" mt="sm" display="block" onClick={() => void onRetry()}>
          Try again
        </Button>
      )}
    </Alert>
  );
}

/** What tells why data could not be loaded. */
export type LoadProblem = ComponentType<{ error: unknown; title: string; onRetry: () => unknown }>;

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
