/**
 * The descriptions of `colophon releases …`.
 */
import { type Command, jsonOption } from '../command.ts';
import { serverOptions } from './shared-options.ts';

const options = { ...jsonOption, ...serverOptions };

const releaseArgument = { name: '<release>', summary: 'the name of a release, such as drafts' };

const list: Command = {
  name: 'releases list',
  examples: ['colophon releases list'],
  summary: 'list the releases, with how many drafts they have and when they go live',
  options,
  run: async (call) => (await import('../commands/content/releases.ts')).list(call),
};

const create: Command = {
  name: 'releases create',
  examples: ['colophon releases create spring --title "Spring catalogue"'],
  summary: 'create a release',
  arguments: [{ name: '<release>', summary: 'its name' }],
  options: { ...options, title: { type: 'string', value: '<text>', summary: 'what editors read' } },
  run: async (call) => (await import('../commands/content/releases.ts')).create(call),
};

const show: Command = {
  name: 'releases show',
  examples: ['colophon releases show spring'],
  summary: 'list the drafts of a release, and what is wrong with each',
  arguments: [releaseArgument],
  options,
  run: async (call) => (await import('../commands/content/releases.ts')).show(call),
};

const publish: Command = {
  name: 'releases publish',
  examples: ['colophon releases publish spring --dry-run'],
  summary:
    'put the drafts of a release live in one step; fails when some cannot be published, and none is then',
  arguments: [releaseArgument],
  options: {
    ...options,
    'dry-run': { type: 'boolean', summary: 'list what would go live and what keeps it from that' },
    only: {
      type: 'string',
      multiple: true,
      value: '<asset>',
      summary: 'the _id of an asset whose draft to publish (default: all)',
    },
  },
  run: async (call) => (await import('../commands/content/releases.ts')).publish(call),
};

const schedule: Command = {
  name: 'releases schedule',
  examples: [
    'colophon releases schedule spring --at 2027-03-01T08:00:00Z',
    'colophon releases schedule spring --cancel',
  ],
  summary: 'have the server publish a release at a time',
  arguments: [releaseArgument],
  options: {
    ...options,
    at: { type: 'string', value: '<time>', summary: 'a time such as 2027-03-01T08:00:00Z' },
    cancel: { type: 'boolean', summary: 'remove the schedule' },
  },
  run: async (call) => (await import('../commands/content/releases.ts')).schedule(call),
};

const discard: Command = {
  name: 'releases discard',
  examples: ['colophon releases discard spring 01935e4a-8d20-7b13-8f5c-6a7e9b0c1d24'],
  summary: 'drop the draft of an asset, so that the release has the asset as it is live',
  arguments: [releaseArgument, { name: '<asset>', summary: 'the _id of the asset' }],
  options,
  run: async (call) => (await import('../commands/content/releases.ts')).discard(call),
};

/** The commands about releases. */
export const releasesCommands = [list, create, show, publish, schedule, discard];
