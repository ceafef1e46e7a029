/**
 * The descriptions of `colophon openapi` and `colophon schema`.
 */
import type { Command } from '../command.ts';
import { typesOption } from './shared-options.ts';

const outOption = {
  out: { type: 'string', value: '<file>', summary: 'the file to write (default: standard output)' },
} as const;

const openapi: Command = {
  name: 'openapi',
  examples: ['colophon openapi cma --out cma.json'],
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
  run: async (call) => (await import('../commands/documents.ts')).openapi(call),
};

const schema: Command = {
  name: 'schema',
  examples: ['colophon schema --out schema.graphql'],
  summary: 'write the GraphQL schema of the content types, as SDL',
  options: { ...typesOption, ...outOption },
  run: async (call) => (await import('../commands/documents.ts')).schema(call),
};

/** The commands about documents. */
export const documentsCommands = [openapi, schema];
