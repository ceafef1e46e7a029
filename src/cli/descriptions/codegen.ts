/**
 * The description of `colophon codegen`.
 */
import type { Command } from '../command.ts';
import { clientOptions, typesOption } from './shared-options.ts';

const codegen: Command = {
  name: 'codegen',
  examples: ['colophon codegen --types graphql --out client'],
  summary: 'write the typed client of the content types, a package for npm',
  options: {
    out: { type: 'string', value: '<folder>', isRequired: true, summary: 'where the client is written' },
    ...typesOption,
    name: {
      type: 'string',
      value: '<name>',
      summary: 'the name of the package (default: the one it has, else colophon-client)',
    },
    endpoints: {
      type: 'string',
      value: '<base url or file>',
      summary:
        'add the routes of the published REST endpoints of a server, or of a file with their documents',
    },
    ...clientOptions('the API client with the scope admin for --endpoints'),
    tools: {
      type: 'string',
      value: '<folder>',
      summary:
        'where @hey-api/openapi-ts and typescript are installed, in a project with another TypeScript (default: the project)',
    },
    check: { type: 'boolean', summary: 'write nothing, and fail where the client is out of date' },
  },
  run: async (call) => (await import('../commands/codegen.ts')).codegen(call),
};

/** The command. */
export const codegenCommands = [codegen];
