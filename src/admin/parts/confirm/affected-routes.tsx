/**
 * The published routes that a change affects: what callers would see change, and who has called them lately.
 */
import { Alert, Code, List, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { AffectedRoute, Severity } from '../../api.ts';
import { useMayOpen } from '../../roles.ts';
import { apiClientList } from '../data/lists.ts';
import { countOf, formatNumber } from '../data/number-words.ts';

/** The routes, those that would break apart from those that would only change; nothing without any. */
export function AffectedRoutes({
  breaks,
  changes,
}: {
  breaks: readonly AffectedRoute[];
  changes: readonly AffectedRoute[];
}) {
  return (
    <>
      <Routes color="red" routes={breaks} effect="would break" />
      <Routes color="blue" routes={changes} effect="would change, and still work as before" />
    </>
  );
}

function Routes({
  color,
  routes,
  effect,
}: {
  color: string;
  routes: readonly AffectedRoute[];
  effect: string;
}) {
  if (routes.length === 0) return null;
  const title =
    routes.length === 1
      ? `One published route ${effect}`
      : `${formatNumber(routes.length)} published routes ${effect}`;
  return (
    <Alert color={color} variant="light" title={title}>
      <List size="sm">
        {routes.map((route) => (
          <AffectedRouteItem key={`${route.path} ${route.methods}`} route={route} />
        ))}
      </List>
    </Alert>
  );
}

function AffectedRouteItem({ route }: { route: AffectedRoute }) {
  const { restEndpoint, mapping, methods, path, message, problems, changes, callers } = route;
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
        {changes.map(({ severity, place, message: change }) => (
          <div key={`${place} ${change}`}>
            {severityWords[severity]}: <Code style={{ overflowWrap: 'anywhere' }}>{place}</Code> {change}
          </div>
        ))}
        <Callers callers={callers} />
      </Stack>
    </List.Item>
  );
}

const severityWords: Readonly<Record<Severity, string>> = {
  breaking: 'Breaks callers',
  attention: 'Callers may notice',
  safe: 'Compatible',
};

/** Who has called the route. API clients have names for those who may see them. */
function Callers({ callers: { days, count, requests, items } }: { callers: AffectedRoute['callers'] }) {
  const mayOpen = useMayOpen('/admin/api-clients/new');
  const { data } = useQuery({ ...apiClientList, enabled: mayOpen && count > 0 });
  const nameOf = (id: string | undefined) =>
    id === undefined
      ? 'without an API client'
      : (data?.items.find(({ clientId }) => clientId === id)?.name ?? id);
  const listed = items.map(({ clientId, requests: own }) => `${nameOf(clientId)} (${formatNumber(own)})`);
  const others = count > items.length ? ` and ${formatNumber(count - items.length)} more` : '';
  return (
    <Text size="sm" c="dimmed">
      {count === 0
        ? `No requests in the last ${days} days.`
        : `${countOf(requests, 'request')} in the last ${days} days: ${listed.join(', ')}${others}.`}
    </Text>
  );
}
