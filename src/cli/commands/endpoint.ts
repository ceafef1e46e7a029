/**
 * `colophon endpoint …`: REST endpoints, on the store itself, so that it works whether or not a server runs on it.
 */

import type { EndpointRecords } from '../../app/compose-records.ts';
import { notFound } from '../../base/errors.ts';
import type { RestEndpoint } from '../../mapping/records/rest-endpoint.ts';
import { stateOf } from '../../mapping/records/rest-endpoints.ts';
import { type Command, jsonOption } from '../command.ts';
import { printJson, printTable } from '../output.ts';
import { typesOption } from './types-option.ts';
import { withEndpoints, withEndpointsToWrite } from './with-store.ts';

const options = { ...typesOption, ...jsonOption };
const endpointArgument = { name: '<name or ID>', summary: 'of the REST endpoint' };

/** The author that is recorded for versions made on the command line. */
const author = 'command line';

const list: Command = {
  name: 'endpoint list',
  summary: 'list the REST endpoints',
  options,
  async run(call) {
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
  },
};

const show: Command = {
  name: 'endpoint show',
  summary: 'show the draft of a REST endpoint with its mappings',
  arguments: [endpointArgument],
  options,
  async run(call) {
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
  },
};

const publish: Command = {
  name: 'endpoint publish',
  summary: 'put the draft of a REST endpoint into force, everywhere within a second',
  arguments: [endpointArgument],
  options,
  async run(call) {
    await withEndpointsToWrite(call, async (records) => {
      const { id } = await findEndpoint(records, call.positionals[0]);
      const endpoint = await records.restEndpoints.publish({ id, by: author });
      if (call.has('json')) return printJson(describe(endpoint));
      const { definition, number } = endpoint.current;
      console.log(`published ${definition.name}, version ${number}, under ${definition.pathPrefix}`);
    });
  },
};

/** The commands about REST endpoints. */
export const commands = [list, show, publish];

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
