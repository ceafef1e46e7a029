/**
 * The description of `colophon audit`.
 */
import type { Command } from '../command.ts';
import { serverOptions } from './shared-options.ts';

const audit: Command = {
  name: 'audit',
  examples: ['colophon audit --action delete --from 2026-11-01T00:00:00Z --out deletions.csv'],
  summary: 'write the changes of content and settings as CSV, newest first',
  options: {
    'by-kind': {
      type: 'string',
      value: '<kind>',
      summary: 'only changes by a client, user, anonymous, command or system',
    },
    by: { type: 'string', value: '<ID>', summary: 'only changes by this client ID or UUID of a user' },
    asset: { type: 'string', value: '<id>', summary: 'only changes of this asset or system record' },
    type: {
      type: 'string',
      multiple: true,
      isClass: true,
      value: '<type>',
      summary: 'only changes of this class name or type ID',
    },
    action: {
      type: 'string',
      multiple: true,
      value: '<action>',
      summary: 'only changes of this kind: create, update, delete, erase or signIn',
    },
    run: { type: 'string', value: '<run>', summary: 'only changes of this run' },
    from: {
      type: 'string',
      value: '<time>',
      summary: 'only changes at this time or later, such as 2026-11-22T09:30:00Z',
    },
    to: { type: 'string', value: '<time>', summary: 'only changes before this time' },
    out: {
      type: 'string',
      value: '<file>',
      summary: 'the file to write, whole or not at all (default: standard output)',
    },
    ...serverOptions,
  },
  run: async (call) => (await import('../commands/audit.ts')).audit(call),
};

/** The command. */
export const auditCommands = [audit];
