/**
 * The descriptions of the commands about what is configured: `pull`, `diff` and `apply`, trusted documents and webhooks.
 */
import { type Command, jsonOption } from '../command.ts';
import { serverOptions, typesOption } from './shared-options.ts';

const folderArgument = { name: '<folder>', summary: 'the folder of the configuration' };
const pruneAndForce = {
  prune: {
    type: 'boolean',
    summary: 'remove what the folder lacks, but never the API client of the call',
  },
  force: { type: 'boolean', summary: 'replace newer drafts of REST endpoints' },
} as const;

const pull: Command = {
  name: 'pull',
  examples: ['colophon pull configuration'],
  summary: 'write the endpoints, webhooks and API clients to files; of REST endpoints what is published',
  arguments: [folderArgument],
  options: { ...jsonOption, ...serverOptions },
  run: async (call) => (await import('../commands/configuration.ts')).pull(call),
};

const diff: Command = {
  name: 'diff',
  examples: ['colophon diff configuration --url https://cms.example.com'],
  summary: 'list how an installation differs from the files; fails when it does',
  arguments: [folderArgument],
  options: { ...pruneAndForce, ...jsonOption, ...serverOptions },
  run: async (call) => (await import('../commands/configuration.ts')).diff(call),
};

const apply: Command = {
  name: 'apply',
  examples: ['colophon apply configuration', 'colophon apply configuration --prune --dry-run'],
  summary: 'change an installation until it agrees with the files, and publish its REST endpoints',
  arguments: [folderArgument],
  options: {
    ...pruneAndForce,
    'dry-run': { type: 'boolean', summary: 'only list the changes, as diff does' },
    ...jsonOption,
    ...serverOptions,
  },
  run: async (call) => (await import('../commands/configuration.ts')).apply(call),
};

const trustedDocumentsOptions = {
  endpoint: { type: 'string', value: '<name>', summary: 'the name, path or ID of the GraphQL endpoint' },
  ...serverOptions,
  ...jsonOption,
} as const;

const trustedDocumentsFolder = {
  name: '<folder>',
  summary: 'of *.graphql and *.gql files, and of manifests of persisted documents as *.json files',
};

const documentsPush: Command = {
  name: 'documents push',
  examples: ['colophon documents push dist/documents --endpoint delivery --url https://cms.example.com'],
  summary: 'store the documents of a client as trusted documents of a GraphQL endpoint',
  arguments: [trustedDocumentsFolder],
  options: trustedDocumentsOptions,
  run: async (call) => (await import('../commands/trusted-documents.ts')).push(call),
};

const documentsList: Command = {
  name: 'documents list',
  examples: ['colophon documents list --endpoint delivery'],
  summary: 'list the trusted documents of a GraphQL endpoint',
  options: trustedDocumentsOptions,
  run: async (call) => (await import('../commands/trusted-documents.ts')).list(call),
};

const documentsDelete: Command = {
  name: 'documents delete',
  examples: ['colophon documents delete old/documents --endpoint delivery'],
  summary: 'delete the trusted documents that a folder has',
  arguments: [trustedDocumentsFolder],
  options: trustedDocumentsOptions,
  run: async (call) => (await import('../commands/trusted-documents.ts')).remove(call),
};

const webhookOptions = { ...typesOption, ...jsonOption };

const webhookArgument = { name: '<name or ID>', summary: 'of the webhook' };
const changeArgument = { name: '<change>', summary: 'the seq of the change, as webhook deliveries shows it' };

const webhookRotate: Command = {
  name: 'webhook rotate',
  examples: ['colophon webhook rotate search'],
  summary: 'give a webhook a new secret; for a day messages are signed with the old one, too',
  arguments: [webhookArgument],
  options: webhookOptions,
  run: async (call) => (await import('../commands/webhook.ts')).rotate(call),
};

const webhookTest: Command = {
  name: 'webhook test',
  examples: ['colophon webhook test search'],
  summary: 'send a test message now; fails when the receiver does not accept it',
  arguments: [webhookArgument],
  options: webhookOptions,
  run: async (call) => (await import('../commands/webhook.ts')).test(call),
};

const webhookDeliveries: Command = {
  name: 'webhook deliveries',
  examples: ['colophon webhook deliveries search --state waiting'],
  summary: 'list what was sent to a webhook, the latest change first',
  arguments: [webhookArgument],
  options: {
    state: {
      type: 'string',
      choices: ['delivered', 'waiting', 'failed'],
      value: '<state>',
      summary: 'only deliveries in this state: delivered, waiting, failed',
    },
    asset: { type: 'string', value: '<id>', summary: 'only changes of this asset' },
    limit: { type: 'string', value: '<n>', summary: 'how many (default: 20)' },
    ...webhookOptions,
  },
  run: async (call) => (await import('../commands/webhook.ts')).deliveries(call),
};

const webhookResend: Command = {
  name: 'webhook resend',
  examples: ['colophon webhook resend search 1203'],
  summary: 'send a change again now; fails when the receiver does not accept it',
  arguments: [webhookArgument, changeArgument],
  options: webhookOptions,
  run: async (call) => (await import('../commands/webhook.ts')).resend(call),
};

const webhookReplay: Command = {
  name: 'webhook replay',
  examples: [
    'colophon webhook replay search --from 2026-11-22T09:30:00Z',
    'colophon webhook replay search --from-seq 1180',
  ],
  summary: 'send all matching changes again from a change or a time on, in the background',
  arguments: [webhookArgument],
  options: {
    from: { type: 'string', value: '<time>', summary: 'such as 2026-11-22T09:30:00Z' },
    'from-seq': { type: 'string', value: '<n>', summary: 'the seq of the first change to send' },
    ...webhookOptions,
  },
  run: async (call) => (await import('../commands/webhook.ts')).replay(call),
};

/** The commands of this file, in the order in which they are listed. */
export const configurationCommands = [
  pull,
  diff,
  apply,
  documentsPush,
  documentsList,
  documentsDelete,
  webhookRotate,
  webhookTest,
  webhookDeliveries,
  webhookResend,
  webhookReplay,
];
