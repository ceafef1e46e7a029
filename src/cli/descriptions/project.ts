/**
 * The descriptions of the commands that start a server, make a project and look at an installation.
 */
import { type Command, jsonOption, type OptionDescriptions } from '../command.ts';
import { clientOptions, typesOption } from './shared-options.ts';

const serve: Command = {
  name: 'serve',
  examples: ['COLOPHON_PORT=8080 COLOPHON_DATA_DIR=/var/lib/cms colophon serve'],
  summary: 'start the server, which COLOPHON_* variables configure',
  options: {
    types: {
      type: 'string',
      value: '<folder>',
      summary: 'the folder of content types (default: COLOPHON_TYPES, else those that come with Colophon)',
    },
    client: {
      type: 'string',
      value: '<folder>',
      summary: 'first bring the typed client of these types in this folder up to date',
    },
  },
  run: async (call) => (await import('../commands/serve.ts')).serve(call),
};

const demo: Command = {
  name: 'demo',
  examples: ['npx colophon demo'],
  summary: 'start a server with sample content, a client and a user, in the folder data/demo',
  options: {},
  run: async () => (await import('../commands/demo.ts')).demo(),
};

const init: Command = {
  name: 'init',
  examples: ['npx colophon init', 'npx colophon init --with next'],
  summary: 'make a project in this folder: types, a REST endpoint, content, settings and scripts',
  options: {
    with: {
      type: 'string',
      value: '<front end>',
      choices: ['next'],
      summary: 'add a web site in website/ that shows the content, with Next.js',
    },
  },
  run: async (call) => (await import('../commands/init.ts')).init(call),
};

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

const contractOptions = {
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
  options: contractOptions,
  run: async (call) => (await import('../commands/contract.ts')).contract(call),
};

const doctor: Command = {
  name: 'doctor',
  examples: ['colophon doctor', 'colophon doctor --settings'],
  summary: 'check this installation: configuration, versions, disk, store, clock, access, public URL',
  options: {
    settings: { type: 'boolean', summary: 'list every setting, its value and where it comes from' },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/doctor.ts')).doctor(call),
};

const completion: Command = {
  name: 'completion',
  summary: 'print a script that completes the words of colophon in bash',
  arguments: [{ name: '<shell>', summary: 'bash', choices: ['bash'] }],
  options: {},
  examples: ['colophon completion bash > ~/.local/share/bash-completion/completions/colophon'],
  run: async (call) => (await import('../commands/completion.ts')).completion(call),
};

/** The commands of this file, in the order in which they are listed. */
export const projectCommands = [serve, demo, init, codegen, contract, doctor, completion];
