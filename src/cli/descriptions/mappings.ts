/**
 * The description of `colophon mappings check`.
 */
import { type Command, jsonOption } from '../command.ts';
import { typesOption } from './shared-options.ts';

const check: Command = {
  name: 'mappings check',
  examples: ['colophon mappings check --types graphql'],
  summary: 'check every stored mapping against the content types; fails when one is broken',
  options: { ...typesOption, ...jsonOption },
  run: async (call) => (await import('../commands/mappings.ts')).check(call),
};

/** The commands about mappings. */
export const mappingsCommands = [check];
