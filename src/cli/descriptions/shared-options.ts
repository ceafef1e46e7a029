/**
 * The options that several commands have.
 */
import type { OptionDescriptions } from '../command.ts';

/** The option of a command that takes the store's own types when none are given. */
export const typesOption = {
  types: {
    type: 'string',
    value: '<folder>',
    summary:
      'the folder of content types (default: COLOPHON_TYPES, else those that the store was last served with)',
  },
} as const satisfies OptionDescriptions;

/** The options that name an API client; `who` says what it is for. */
export const clientOptions = (who: string) =>
  ({
    'client-id': { type: 'string', value: '<ID>', summary: `${who} (default: COLOPHON_CLIENT_ID)` },
    'client-secret': {
      type: 'string',
      value: '<secret>',
      summary: 'its secret, which other users of the machine can see (default: COLOPHON_CLIENT_SECRET)',
    },
  }) as const satisfies OptionDescriptions;

/** The options that name a server, or the configured store, and its content types. */
export const serverOptions = {
  ...typesOption,
  url: {
    type: 'string',
    value: '<base url>',
    summary: 'work on this server (default: the store that COLOPHON_DATA_DIR or COLOPHON_MONGODB_URL names)',
  },
  ...clientOptions('the API client for --url'),
} as const satisfies OptionDescriptions;

/** The option of a command that reads or writes content. */
export const releaseOption = {
  release: {
    type: 'string',
    value: '<name>',
    summary:
      'work on the drafts of this release, with the live content under them (default: the live content)',
  },
} as const satisfies OptionDescriptions;

/** The same, with how its requests are repeated. */
export const targetOptions = {
  ...serverOptions,
  attempts: { type: 'string', value: '<n>', summary: 'how often a request is tried (default: 8)' },
  'timeout-ms': {
    type: 'string',
    value: '<n>',
    summary: 'how long a response of --url may take (default: 120000)',
  },
} as const satisfies OptionDescriptions;
