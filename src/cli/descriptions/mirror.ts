/**
 * The description of `colophon mirror`.
 */
import { type Command, jsonOption } from '../command.ts';
import { clientOptions, typesOption } from './shared-options.ts';

const mirror: Command = {
  name: 'mirror',
  examples: [
    'colophon mirror https://cms.example.com --to /srv/replica --types types',
    'colophon mirror https://cms.example.com --to mongodb://127.0.0.1/colophon --types types',
    'colophon mirror https://cms.example.com --to articles.ndjson --type com.example.news.Article --once',
  ],
  summary:
    'keep a store or a file equal to the content of a server, until it is stopped; goes on where it was interrupted',
  arguments: [{ name: '<base url>', summary: 'the server to follow' }],
  options: {
    to: {
      type: 'string',
      value: '<target>',
      isRequired: true,
      summary: 'the folder of a store, a mongodb:// URL, or a file that ends in .ndjson',
    },
    type: {
      type: 'string',
      multiple: true,
      isClass: true,
      value: '<type>',
      summary: 'a class name or type ID of what to mirror (default: every content type of --types)',
    },
    where: { type: 'string', value: '<predicate>', summary: 'which assets (default: all)' },
    value: {
      type: 'string',
      multiple: true,
      value: '<value>',
      summary: 'what a ? of the predicate stands for, one after the other',
    },
    files: {
      type: 'string',
      value: '<folder>',
      summary: 'copy the files that the assets name to this folder, and from there into a store',
    },
    once: { type: 'boolean', summary: 'end when the target has caught up with the server' },
    replace: {
      type: 'boolean',
      summary: 'begin again with all assets, and replace what the target has of these types',
    },
    types: {
      ...typesOption.types,
      summary: 'the folder of content types (default: COLOPHON_TYPES, else those that the target has)',
    },
    ...clientOptions('the API client at the server'),
    attempts: {
      type: 'string',
      value: '<n>',
      summary: 'how often a request is tried at the start, and always with --once (default: 8)',
    },
    'timeout-ms': {
      type: 'string',
      value: '<n>',
      summary: 'how long a response may take (default: 120000)',
    },
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/content/mirror.ts')).mirror(call),
};

/** The command. */
export const mirrorCommands = [mirror];
