/**
 * The descriptions of the commands about content types, and the documents that follow from them.
 */
import { type Command, jsonOption } from '../command.ts';
import { clientOptions, typesOption } from './shared-options.ts';

const listTypes: Command = {
  name: 'list-types',
  examples: ['colophon list-types'],
  summary: 'list the content types and interfaces',
  options: { ...typesOption, ...jsonOption },
  run: async (call) => (await import('../commands/types/types.ts')).listTypes(call),
};

const showType: Command = {
  name: 'show-type',
  examples: ['colophon show-type com.example.news.Article'],
  summary: 'show the fields of a content type',
  arguments: [{ name: '<class>', summary: 'a class name or a type ID', isClass: true }],
  options: { ...typesOption, ...jsonOption },
  run: async (call) => (await import('../commands/types/types.ts')).showType(call),
};

const typesCheck: Command = {
  name: 'types check',
  examples: [
    'colophon types check --types graphql',
    'colophon types check --types graphql --against main/graphql --junit types.xml',
    'colophon types check --types graphql --url https://cms.example.com',
  ],
  summary: 'report what a change of content types breaks; fails when something does',
  options: {
    types: {
      type: 'string',
      value: '<folder>',
      isRequired: true,
      summary: 'the new content types, a folder or a file',
    },
    against: {
      type: 'string',
      value: '<folder, file or url>',
      summary:
        'the content types to compare with, also those of a server (default: those that the store was last served with)',
    },
    url: {
      type: 'string',
      value: '<base url>',
      summary:
        'check against this server (default: the store that COLOPHON_DATA_DIR or COLOPHON_MONGODB_URL names)',
    },
    ...clientOptions('an API client with the scope admin, for --url and for the URL of --against'),
    junit: { type: 'string', value: '<file>', summary: 'write a report in JUnit XML there' },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/types/types-check.ts')).checkTypes(call),
};

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

const mappingsCheck: Command = {
  name: 'mappings check',
  examples: ['colophon mappings check --types graphql'],
  summary: 'check every stored mapping against the content types; fails when one is broken',
  options: { ...typesOption, ...jsonOption },
  run: async (call) => (await import('../commands/mappings.ts')).check(call),
};

/** The commands of this file, in the order in which they are listed. */
export const typesCommands = [listTypes, showType, typesCheck, openapi, schema, mappingsCheck];
