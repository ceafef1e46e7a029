/**
 * `colophon endpoint …`: REST endpoints, on the store itself, so that it works whether or not a server runs on it.
 */

import type { EndpointRecords } from '../../app/compose/compose-records.ts';
import { notFound } from '../../base/errors.ts';
import type { RestEndpoint } from '../../mapping/records/rest-endpoint.ts';
import { stateOf } from '../../mapping/records/rest-endpoints.ts';
import type { CommandCall } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { withEndpoints, withEndpointsToWrite } from './store/with-store.ts';

/** The author that is recorded for versions made on the command line. */
const author = 'command line';

/** Runs `colophon endpoint list`. */
export async function list(call: CommandCall): Promise<void> {
  await withEndpoints(call, async ({ restEndpoints }) => {
    const endpoints = await restEndpoints.list();
    if (call.has('json')) return printJson(endpoints.map(describe));
    const rows = endpoints.map((endpoint) => {
      const { definition } = endpoint.current;
      return [
        definition.name,
        definition.pathPrefix,
        `${definition.mappings.length}`,
        stateOf(endpoint),
        endpoint.id,
      ];
    });
    printTable(['name', 'path prefix', 'mappings', 'state', 'ID'], rows);
  });
}

/** Runs `colophon endpoint show`. */
export async function show(call: CommandCall): Promise<void> {
  await withEndpoints(call, async (records) => {
    const endpoint = await findEndpoint(records, call.positionals[0]);
    if (call.has('json')) return printJson(describe(endpoint));
    const { name, access, pathPrefix, mappings } = endpoint.current.definition;
    console.log(`${name}: ${stateOf(endpoint)}, version ${endpoint.current.number}, access ${access}\n`);
    const rows = mappings.map((mapping) => [
      mapping.methods.join(' '),
      pathPrefix + mapping.path,
      mapping.name,
      `${mapping.cacheSeconds} s`,
    ]);
    printTable(['methods', 'path', 'mapping', 'cache'], rows);
  });
}

/** Runs `colophon endpoint publish`. */
export async function publish(call: CommandCall): Promise<void> {
  await withEndpointsToWrite(call, async (records) => {
    const { id } = await findEndpoint(records, call.positionals[0]);
    const endpoint = await records.restEndpoints.publish({ id, by: author });
    if (call.has('json')) return printJson(describe(endpoint));
    const { definition, number } = endpoint.current;
    console.log(`published ${definition.name}, version ${number}, under ${definition.pathPrefix}`);
  });
}

/** The REST endpoint of this name or ID. Errors: not_found. */
export async function findEndpoint({ restEndpoints }: EndpointRecords, nameOrId = ''): Promise<RestEndpoint> {
  const all = await restEndpoints.list();
  const found = all.find(({ id, current }) => id === nameOrId || current.definition.name === nameOrId);
  if (!found) throw notFound(nameOrId, 'REST endpoint');
  return found;
}

function describe(endpoint: RestEndpoint) {
  const { number, savedAtMs, savedBy, definition } = endpoint.current;
  const savedAt = new Date(savedAtMs).toISOString();
  return { id: endpoint.id, state: stateOf(endpoint), number, savedAt, savedBy, ...definition };
}
