/**
 * The descriptions of the commands about releases and runs, which change many assets together.
 */
import { type Command, jsonOption } from '../command.ts';
import { serverOptions } from './shared-options.ts';

const releasesOptions = { ...jsonOption, ...serverOptions };

const releaseArgument = { name: '<release>', summary: 'the name of a release, such as drafts' };

const releasesList: Command = {
  name: 'releases list',
  examples: ['colophon releases list'],
  summary: 'list the releases, with how many drafts they have and when they go live',
  options: releasesOptions,
  run: async (call) => (await import('../commands/content/releases.ts')).list(call),
};

const releasesCreate: Command = {
  name: 'releases create',
  examples: ['colophon releases create spring --title "Spring catalogue"'],
  summary: 'create a release',
  arguments: [{ name: '<release>', summary: 'its name' }],
  options: { ...releasesOptions, title: { type: 'string', value: '<text>', summary: 'what editors read' } },
  run: async (call) => (await import('../commands/content/releases.ts')).create(call),
};

const releasesShow: Command = {
  name: 'releases show',
  examples: ['colophon releases show spring'],
  summary: 'list the drafts of a release, and what is wrong with each',
  arguments: [releaseArgument],
  options: releasesOptions,
  run: async (call) => (await import('../commands/content/releases.ts')).show(call),
};

const releasesPublish: Command = {
  name: 'releases publish',
  examples: ['colophon releases publish spring --dry-run'],
  summary:
    'put the drafts of a release live in one step; fails when some cannot be published, and none is then',
  arguments: [releaseArgument],
  options: {
    ...releasesOptions,
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

const releasesSchedule: Command = {
  name: 'releases schedule',
  examples: [
    'colophon releases schedule spring --at 2027-03-01T08:00:00Z',
    'colophon releases schedule spring --cancel',
  ],
  summary: 'have the server publish a release at a time',
  arguments: [releaseArgument],
  options: {
    ...releasesOptions,
    at: { type: 'string', value: '<time>', summary: 'a time such as 2027-03-01T08:00:00Z' },
    cancel: { type: 'boolean', summary: 'remove the schedule' },
  },
  run: async (call) => (await import('../commands/content/releases.ts')).schedule(call),
};

const releasesDiscard: Command = {
  name: 'releases discard',
  examples: ['colophon releases discard spring 01935e4a-8d20-7b13-8f5c-6a7e9b0c1d24'],
  summary: 'drop the draft of an asset, so that the release has the asset as it is live',
  arguments: [releaseArgument, { name: '<asset>', summary: 'the _id of the asset' }],
  options: releasesOptions,
  run: async (call) => (await import('../commands/content/releases.ts')).discard(call),
};

const runsOptions = { ...jsonOption, ...serverOptions };

const runArgument = { name: '<run>', summary: 'the name of a run' };

const runsList: Command = {
  name: 'runs list',
  examples: ['colophon runs list'],
  summary: 'list the runs, the latest first',
  options: { ...runsOptions, limit: { type: 'string', value: '<n>', summary: 'how many (default: 20)' } },
  run: async (call) => (await import('../commands/content/runs.ts')).list(call),
};

const runsShow: Command = {
  name: 'runs show',
  examples: ['colophon runs show import-2026-11-22'],
  summary: 'show a run, and how far its revert is',
  arguments: [runArgument],
  options: runsOptions,
  run: async (call) => (await import('../commands/content/runs.ts')).show(call),
};

const runsRevert: Command = {
  name: 'runs revert',
  examples: ['colophon runs revert import-2026-11-22 --dry-run'],
  summary: 'bring what a run has written back to its former state; fails when some of it has to stay',
  arguments: [runArgument],
  options: {
    ...runsOptions,
    'dry-run': { type: 'boolean', summary: 'list what would be done, and do nothing' },
  },
  run: async (call) => (await import('../commands/content/runs.ts')).revert(call),
};

/** The commands of this file, in the order in which they are listed. */
export const releasesCommands = [
  releasesList,
  releasesCreate,
  releasesShow,
  releasesPublish,
  releasesSchedule,
  releasesDiscard,
  runsList,
  runsShow,
  runsRevert,
];
