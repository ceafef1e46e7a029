/**
 * The consequences of a change, found by a dry run: routes that would break, and public writes.
 */
import { Alert, Code, List, Stack, Text } from '@mantine/core';
import type { AffectedRoute, DryRun, Warning } from '../../api.ts';
import { formatNumber } from '../data/number-words.ts';
import { Loading } from '../loading/loading.tsx';
import { ProblemAlert } from '../problems/problem-alert.tsx';

/** What there is to ask about: published routes that would break, and warnings that do not hold already. */
export function worthAsking(
  { breaks, warnings }: DryRun,
  known: readonly Warning[] = [],
): DryRun | undefined {
  const isKnown = ({ message }: Warning) => known.some((warning) => warning.message === message);
  const news = warnings.filter((warning) => !isKnown(warning));
  return breaks.length + news.length > 0 ? { breaks, warnings: news } : undefined;
}

/** The published routes that would break, by name, and the warnings. */
export function Consequences({ found: { breaks, warnings } }: { found: DryRun }) {
  return (
    <>
      {breaks.length > 0 && (
        <Alert color="red" variant="light" title={titleOf(breaks.length)}>
          <List size="sm">
            {breaks.map((route) => (
              <BreakingRoute key={`${route.path} ${route.methods}`} route={route} />
            ))}
          </List>
        </Alert>
      )}
      <Warnings warnings={warnings} />
    </>
  );
}

/** Warnings of what is allowed but may not be meant; nothing without any. */
export function Warnings({ warnings }: { warnings: readonly Warning[] }) {
  if (warnings.length === 0) return null;
  return (
    <Alert color="orange" variant="light" title="Anyone can change content">
      <List size="sm">
        {warnings.map(({ path, message, mapping }) => (
          <List.Item key={`${path} ${message}`}>
            {mapping !== undefined && <strong>{mapping}: </strong>}
            {message}.
          </List.Item>
        ))}
      </List>
    </Alert>
  );
}

/** The consequences once they are known; `query` is a dry run. */
export function DryRunReport({
  query: { data, error, isFetching, refetch },
  nothing,
}: {
  query: {
    data: DryRun | undefined;
    error: Error | null;
    isFetching: boolean;
    refetch: () => Promise<unknown>;
  };
  /** The text for a change without consequences. */
  nothing: string;
}) {
  if (isFetching) return <Loading />;
  if (!data)
    return <ProblemAlert error={error} title="The consequences could not be checked" onRetry={refetch} />;
  if (data.breaks.length + data.warnings.length === 0) return <Text size="sm">{nothing}</Text>;
  return <Consequences found={data} />;
}

const titleOf = (count: number) =>
  count === 1 ? 'One published route would break' : `${formatNumber(count)} published routes would break`;

function BreakingRoute({ route }: { route: AffectedRoute }) {
  const { restEndpoint, mapping, methods, path, message, problems } = route;
  return (
    <List.Item>
      <Stack gap={2}>
        <div>
          <strong>
            {restEndpoint}: {mapping}
          </strong>{' '}
          <Code style={{ overflowWrap: 'anywhere' }}>
            {methods.join(', ')} {path}
          </Code>
        </div>
        <div>{message}.</div>
        {problems.map((problem) => (
          <div key={`${problem.line} ${problem.column} ${problem.message}`}>
            {problem.message}
            {problem.line !== undefined && ` (line ${problem.line}, column ${problem.column})`}
          </div>
        ))}
      </Stack>
    </List.Item>
  );
}
