/**
 * The description of `colophon import`.
 */
import { type Command, jsonOption } from '../command.ts';
import { releaseOption, targetOptions } from './shared-options.ts';

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

/** The command. */
export const importCommands = [importCommand];
