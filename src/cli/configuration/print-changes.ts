/**
 * Prints how an installation differs from a configuration, and the secrets that exist since it was applied.
 */
import type * as api from '../../../generated/server/admin.ts';
import { shorten } from '../../base/problems.ts';

const signs = { CREATE: '+', UPDATE: '~', REMOVE: '-' } as const;
const kindNames = {
  graphqlEndpoint: 'GraphQL endpoint',
  restEndpoint: 'REST endpoint',
  webhook: 'webhook',
  apiClient: 'API client',
} as const;

/** Prints one line for each change, and one for each member that changes. */
export function printChanges(
  changes: readonly api.ConfigurationChange[],
  { prune, dryRun }: { readonly prune: boolean; readonly dryRun: boolean },
): void {
  if (changes.length === 0) console.log('no changes');
  for (const { kind, name, action, members, applied } of changes) {
    const isKept = action === 'REMOVE' && !prune;
    const note = isKept ? ' (removed only with --prune)' : dryRun || applied ? '' : ' (not applied)';
    console.log(`${signs[action]} ${kindNames[kind]} ${JSON.stringify(name)}${note}`);
    for (const { path, before = 'absent', after = 'absent' } of members)
      console.log(`    ${path}: ${shorten(before)} -> ${shorten(after)}`);
  }
  const isOf = (action: api.ConfigurationAction) => (kind: string) =>
    changes.some((change) => change.kind === kind && change.action === action);
  if (Object.keys(kindNames).some((kind) => isOf('CREATE')(kind) && isOf('REMOVE')(kind)))
    console.log('A record with another name is another record: a renamed one is removed and created.');
}

/** Prints the published routes whose callers a configuration would affect, with those who have called them. */
export function printRoutes({ breaks, changes }: api.AffectedRoutes): void {
  for (const [title, routes] of [
    ['Published routes that would break:', breaks],
    ['Published routes that would change, and still work as before:', changes],
  ] as const) {
    if (routes.length > 0) console.log(`\n${title}`);
    for (const route of routes) printRoute(route);
  }
}

function printRoute({
  restEndpoint,
  mapping,
  methods,
  path,
  message,
  problems,
  changes,
  callers,
}: api.AffectedRoute): void {
  console.log(`  ${restEndpoint}: ${mapping}  ${methods.join(', ')} ${path}`);
  console.log(`    ${message}`);
  for (const problem of problems)
    console.log(`    line ${problem.line}, column ${problem.column}: ${problem.message}`);
  for (const change of changes) console.log(`    ${change.severity}: ${change.place} ${change.message}`);
  const named = callers.items.map(({ clientId = 'no API client', requests }) => `${clientId} (${requests})`);
  const others = callers.count > named.length ? [`${callers.count - named.length} more`] : [];
  console.log(
    callers.count === 0
      ? `    no requests in the last ${callers.days} days`
      : `    ${callers.requests} requests in the last ${callers.days} days: ${[...named, ...others].join(', ')}`,
  );
}

/** Prints the secrets of new records. */
export function printSecrets({ clientSecrets, webhookSecrets }: api.ConfigurationResult): void {
  if (clientSecrets.length + webhookSecrets.length === 0) return;
  console.log('\nNew secrets, shown this once:');
  for (const { clientId, secret } of clientSecrets) console.log(`  API client ${clientId}  ${secret}`);
  for (const { name, secret } of webhookSecrets) console.log(`  webhook ${JSON.stringify(name)}  ${secret}`);
}
