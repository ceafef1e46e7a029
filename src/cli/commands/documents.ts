/**
 * `colophon openapi` and `colophon schema`: the documents of an installation's own types, for generators and reviews.
 */
import { writeFileSync } from 'node:fs';
import type { Config } from '../../app/config/config.ts';
import { checkFailed, notFound, usage } from '../../base/errors.ts';
import { toOpenApi30 } from '../../documents/openapi-30.ts';
import {
  bundleDocument,
  moveCmaDocument,
  readAdminDocument,
  readCmaDocument,
  withServer,
} from '../../documents/openapi-document.ts';
import { describePublished } from '../../mapping/describe/route-openapi.ts';
import type { CommandCall } from '../command.ts';
import { withEndpoints } from './store/with-store.ts';
import { chooseTypesFor, readConfigFor } from './types/types-option.ts';

export async function openapi(call: CommandCall): Promise<void> {
  const version = call.option('openapi-version') ?? '3.1';
  if (version !== '3.1' && version !== '3.0') throw usage('--openapi-version must be 3.1 or 3.0');
  const config = readConfigFor(call);
  const document = withServer(await readDocument(call, config), config.publicUrl);
  write(call, JSON.stringify(version === '3.0' ? toOpenApi30(document) : document, null, 2));
}

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
    const all = await records.restEndpoints.list();
    const restEndpoint = all.find(({ id, current }) => id === name || current.definition.name === name);
    if (!restEndpoint) throw notFound(name, 'REST endpoint');
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

export async function schema(call: CommandCall): Promise<void> {
  const { catalog } = await chooseTypesFor(readConfigFor(call));
  const { createSchemaSdl } = await import('../../graphql/schema/build-schema.ts');
  write(call, createSchemaSdl(catalog).trimEnd());
}

function write(call: CommandCall, text: string): void {
  const file = call.option('out');
  if (file === undefined) console.log(text);
  else writeFileSync(file, `${text}\n`);
}
