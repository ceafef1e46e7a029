/**
 * The description of `colophon export`.
 */
import type { Command } from '../command.ts';
import { releaseOption, targetOptions } from './shared-options.ts';

const exportCommand: Command = {
  name: 'export',
  examples: [
    'colophon export --out content.jsonl',
    'colophon export --from com.example.news.Author | gzip > authors.jsonl.gz',
    'colophon export --from com.example.news.Article --fields headline,place.country --sort=-eventDate',
  ],
  summary: 'write assets as lines of JSON, from a server or from the configured store',
  options: {
    from: {
      type: 'string',
      multiple: true,
      isClass: true,
      value: '<type>',
      summary: 'a class name or type ID of what to export (default: every content type)',
    },
    where: { type: 'string', value: '<predicate>', summary: 'which assets (default: all)' },
    value: {
      type: 'string',
      multiple: true,
      value: '<value>',
      summary: 'what a ? of the predicate stands for, one after the other',
    },
    fields: {
      type: 'string',
      multiple: true,
      value: '<paths>',
      summary: 'the fields to write beside _id and _type, such as headline,place.country (default: all)',
    },
    sort: {
      type: 'string',
      multiple: true,
      value: '<paths>',
      summary: 'the order of each type, such as -eventDate,headline (default: by _id)',
    },
    out: {
      type: 'string',
      value: '<file>',
      summary: 'the file to write, whole or not at all (default: standard output)',
    },
    files: {
      type: 'string',
      value: '<folder>',
      summary: 'copy the files that the assets name to this folder, those that it lacks',
    },
    ...releaseOption,
    ...targetOptions,
  },
  run: async (call) => (await import('../commands/content/export.ts')).exportAssets(call),
};

/** The command. */
export const exportCommands = [exportCommand];
