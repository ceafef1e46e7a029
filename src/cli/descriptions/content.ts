/**
 * The descriptions of the commands that read and write content, and its past.
 */
import { type Command, jsonOption } from '../command.ts';
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

const importCommand: Command = {
  name: 'import',
  examples: ['colophon import content.jsonl', 'zcat authors.jsonl.gz | colophon import -'],
  summary:
    'read assets as lines of JSON into a server or the configured store; goes on where it was interrupted',
  arguments: [{ name: '<file or ->', summary: 'lines of JSON, as export writes them; - is standard input' }],
  options: {
    mode: { type: 'string', value: '<mode>', summary: 'create (the default), update, upsert or replace' },
    by: {
      type: 'string',
      multiple: true,
      value: '<field>',
      summary:
        'the unique field, such as slug or cover.code, or fields such as lang,slug, by which an update, upsert or replacement finds the asset (default: _id); com.example.Author=email for one type',
    },
    ids: {
      type: 'string',
      value: '<namespace>',
      summary: 'derive UUIDs from the texts in _id and _ref, in this namespace: a UUID, or any text',
    },
    prune: {
      type: 'boolean',
      summary: 'delete the assets that the file lacks, after all lines are imported',
    },
    from: {
      type: 'string',
      multiple: true,
      isClass: true,
      value: '<type>',
      summary: 'with --prune: a class name or type ID of what to delete (default: the types of the lines)',
    },
    where: { type: 'string', value: '<predicate>', summary: 'with --prune: which assets (default: all)' },
    value: {
      type: 'string',
      multiple: true,
      value: '<value>',
      summary: 'what a ? of the predicate stands for, one after the other',
    },
    keep: {
      type: 'string',
      multiple: true,
      value: '<file>',
      summary: 'with --prune: further lines of JSON, whose assets stay though they are not imported',
    },
    'prune-max': {
      type: 'string',
      value: '<percent or number>',
      summary: 'with --prune: how much of a type may be deleted (default: 20%)',
    },
    expect: {
      type: 'string',
      value: '<n>',
      summary: 'with --prune: how many lines the file has at least',
    },
    'dry-run': { type: 'boolean', summary: 'check every line, and write nothing' },
    report: {
      type: 'string',
      value: '<file>',
      summary: 'where refused lines are written (default: <file>.failed.ndjson)',
    },
    journal: {
      type: 'string',
      value: '<file>',
      summary: 'what is done so far, by which the same command goes on (default: <file>.journal)',
    },
    run: {
      type: 'string',
      value: '<name>',
      summary: 'the run that it writes in, by which it can be reverted (default: a new one)',
    },
    files: {
      type: 'string',
      value: '<folder>',
      summary: 'upload the files that the lines name from this folder, those that the target lacks',
    },
    restart: { type: 'boolean', summary: 'forget the journal and begin again' },
    concurrency: {
      type: 'string',
      value: '<n>',
      summary: 'how many batches are under way at once (default: 4)',
    },
    'batch-size': {
      type: 'string',
      value: '<n>',
      summary: 'how many lines a batch has at most (default: 500)',
    },
    ...jsonOption,
    ...releaseOption,
    ...targetOptions,
  },
  run: async (call) => (await import('../commands/content/import.ts')).importAssets(call),
};

const idArgument = [{ name: '<id>', summary: 'the _id of the asset' }];

const history: Command = {
  name: 'history',
  examples: ['colophon history 01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7'],
  summary: 'list the changes of an asset, newest first, also of a deleted one',
  arguments: idArgument,
  options: {
    limit: { type: 'string', value: '<n>', summary: 'how many changes to list (default: 20)' },
    ...targetOptions,
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/content/history.ts')).history(call),
};

const restore: Command = {
  name: 'restore',
  examples: ['colophon restore 01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7 --at 2026-11-22T09:30:00Z'],
  summary: 'restore an asset to a past state, also a deleted one',
  arguments: idArgument,
  options: {
    version: { type: 'string', value: '<version>', summary: 'the state with this version, of `history`' },
    at: { type: 'string', value: '<time>', summary: 'the state at this time, such as 2026-11-22T09:30:00Z' },
    field: {
      type: 'string',
      multiple: true,
      value: '<name>',
      summary: 'a field to restore, by its JSON name (default: the whole state)',
    },
    'dry-run': { type: 'boolean', summary: 'check the write, and write nothing' },
    ...targetOptions,
    ...jsonOption,
  },
  run: async (call) => (await import('../commands/content/history.ts')).restore(call),
};

const erase: Command = {
  name: 'erase',
  examples: ['colophon erase 01935e4a-7c1b-7d52-9a6e-2f0c8b41d3e7'],
  summary: 'delete an asset with its whole history, which cannot be undone',
  arguments: idArgument,
  options: targetOptions,
  run: async (call) => (await import('../commands/content/history.ts')).erase(call),
};

/** The commands of this file, in the order in which they are listed. */
export const contentCommands = [exportCommand, importCommand, history, restore, erase];
