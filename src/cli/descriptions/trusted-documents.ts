/**
 * The descriptions of `colophon documents …`.
 */
import { type Command, jsonOption } from '../command.ts';
import { serverOptions } from './shared-options.ts';

const options = {
  endpoint: { type: 'string', value: '<name>', summary: 'the name, path or ID of the GraphQL endpoint' },
  ...serverOptions,
  ...jsonOption,
} as const;

const folder = {
  name: '<folder>',
  summary: 'of *.graphql and *.gql files, and of manifests of persisted documents as *.json files',
};

const push: Command = {
  name: 'documents push',
  examples: ['colophon documents push dist/documents --endpoint delivery --url https://cms.example.com'],
  summary: 'store the documents of a client as trusted documents of a GraphQL endpoint',
  arguments: [folder],
  options,
  run: async (call) => (await import('../commands/trusted-documents.ts')).push(call),
};

const list: Command = {
  name: 'documents list',
  examples: ['colophon documents list --endpoint delivery'],
  summary: 'list the trusted documents of a GraphQL endpoint',
  options,
  run: async (call) => (await import('../commands/trusted-documents.ts')).list(call),
};

const remove: Command = {
  name: 'documents delete',
  examples: ['colophon documents delete old/documents --endpoint delivery'],
  summary: 'delete the trusted documents that a folder has',
  arguments: [folder],
  options,
  run: async (call) => (await import('../commands/trusted-documents.ts')).remove(call),
};

/** The commands about trusted documents. */
export const trustedDocumentsCommands = [push, list, remove];
