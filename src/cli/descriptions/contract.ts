/**
 * The description of `colophon contract`.
 */
import type { Command, OptionDescriptions } from '../command.ts';
import { clientOptions, typesOption } from './shared-options.ts';

const options = {
  ...typesOption,
  document: {
    type: 'string',
    value: '<file or url>',
    summary: 'the OpenAPI document to hold it to (default: the one of the content types)',
  },
  ...clientOptions('an API client with cma:read and cma:write'),
  'admin-id': {
    type: 'string',
    value: '<ID>',
    summary: 'an API client with admin, to test the admin API as well (default: COLOPHON_ADMIN_CLIENT_ID)',
  },
  'admin-secret': {
    type: 'string',
    value: '<secret>',
    summary: 'its secret (default: COLOPHON_ADMIN_CLIENT_SECRET)',
  },
  coverage: { type: 'boolean', summary: 'list what the documents have and no case has tested' },
  junit: { type: 'string', value: '<file>', summary: 'write a report in JUnit XML there' },
  only: { type: 'string', value: '<operation>', summary: 'run the cases of this operation only' },
  samples: { type: 'string', value: '<file>', summary: 'example assets, one JSON object a line' },
  seed: { type: 'string', value: '<text>', summary: 'make the same assets up again' },
} as const satisfies OptionDescriptions;

const contract: Command = {
  name: 'contract',
  examples: ['colophon contract http://127.0.0.1:4000'],
  summary: 'run the contract tests against an instance; they create, change and delete their own assets',
  arguments: [{ name: '<base url>', summary: 'of the instance, such as http://127.0.0.1:4000' }],
  options,
  run: async (call) => (await import('../commands/contract.ts')).contract(call),
};

/** The command. */
export const contractCommands = [contract];
