/**
 * `colophon openapi` and `colophon schema`: the documents of an installation's own types, for generators and reviews.
 */
import { writeFileSync } from 'node:fs';
import type { Config } from '../../app/config.ts';
import { checkFailed, usage } from '../../base/errors.ts';
import { toOpenApi30 } from '../../documents/openapi-30.ts';
import {
  bundleDocument,
  moveCmaDocument,
  readAdminDocument,
  readCmaDocument,
  withServer,
} from '../../documents/openapi-document.ts';
import { describePublished } from '../../http/handlers/admin/describe-endpoint.ts';
import type { Command, CommandCall } from '../command.ts';
import { findEndpoint } from './endpoint.ts';
import { chooseTypesFor, readConfigFor, typesOption } from './types-option.ts';
import { withEndpoints } from './with-store.ts';

const outOption = {
  out: { type: 'string', value: '<file>', summary: 'the file to write (default: standard output)' },
} as const;

const openapi: Command = {
  name: 'openapi',
  summary: 'write an OpenAPI document with a schema for each content type',
  arguments: [
    { name: '<cma, admin or REST endpoint>', summary: 'which API: for a REST endpoint its name or ID' },
  ],
  options: {
    ...typesOption,
    ...outOption,
    'openapi-version': {
      type: 'string',
      value: '<3.1 or 3.0>',
      summary: 'the version of OpenAPI (default: 3.1); 3.0 is for generators that do not read 3.1',
    },
  },
  async run(call) {
    const version = call.option('openapi-version') ?? '3.1';
    if (version !== '3.1' && version !== '3.0') throw usage('--openapi-version must be 3.1 or 3.0');
    const config = readConfigFor(call);
    const document = withServer(await readDocument(call, config), config.publicUrl);
    write(call, JSON.stringify(version === '3.0' ? toOpenApi30(document) : document, null, 2));
  },
};

async function readDocument(call: CommandCall, config: Config): Promise<object> {
  const [name = ''] = call.positionals;
  if (name === 'cma') {
    const { catalog } = await chooseTypesFor(config);
    return bundleDocument({ source: moveCmaDocument(readCmaDocument(), config.cmaPath), catalog });
  }
  if (name === 'admin') {
    const { catalog } = await chooseTypesFor(config);
    return bundleDocument({ source: readAdminDocument(), catalog });
  }
  return readRouteDocument(call, name);
}

/** The document of what a REST endpoint has published. Errors: not_found; check_failed when nothing is published. */
function readRouteDocument(call: CommandCall, name: string): Promise<object> {
  return withEndpoints(call, async (records) => {
    const restEndpoint = await findEndpoint(records, name);
    const sources = await records.graphqlEndpoints.list();
    const source = sources.find(({ id }) => id === restEndpoint.published?.definition.source);
    const document = describePublished(
      restEndpoint,
      source && { endpoint: source, api: records.apis.get(source) },
    );
    if (!document) throw checkFailed(`The REST endpoint ${name} is not published`);
    return document;
  });
}

const schema: Command = {
  name: 'schema',
  summary: 'write the GraphQL schema of the content types, as SDL',
  options: { ...typesOption, ...outOption },
  async run(call) {
    const { catalog } = await chooseTypesFor(readConfigFor(call));
    const { createSchemaSdl } = await import('../../graphql/schema/build-schema.ts');
    write(call, createSchemaSdl(catalog).trimEnd());
  },
};

/** The commands about documents. */
export const commands = [openapi, schema];

function write(call: CommandCall, text: string): void {
  const file = call.option('out');
  if (file === undefined) console.log(text);
  else writeFileSync(file, `${text}\n`);
}
