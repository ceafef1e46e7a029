/**
 * All commands, in the order in which they are listed.
 */
import type { Command } from '../command.ts';
import { accessCommands } from './access.ts';
import { configurationCommands } from './configuration.ts';
import { contentCommands } from './content.ts';
import { projectCommands } from './project.ts';
import { releasesCommands } from './releases.ts';
import { storeCommands } from './store.ts';
import { typesCommands } from './types.ts';

/** The commands. Their descriptions are loaded with the command line, what they do only when it is called. */
export const allCommands: readonly Command[] = [
  ...projectCommands,
  ...typesCommands,
  ...accessCommands,
  ...configurationCommands,
  ...contentCommands,
  ...storeCommands,
  ...releasesCommands,
];
