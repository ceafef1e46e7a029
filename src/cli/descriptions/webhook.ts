/**
 * The descriptions of `colophon webhook …`.
 */
import { type Command, jsonOption } from '../command.ts';
import { typesOption } from './shared-options.ts';

const options = { ...typesOption, ...jsonOption };

const webhookArgument = { name: '<name or ID>', summary: 'of the webhook' };
const changeArgument = { name: '<change>', summary: 'the seq of the change, as webhook deliveries shows it' };

const actions = ['create', 'update', 'delete', 'erase'];

const definition = {
  type: {
    type: 'string',
    multiple: true,
    isClass: true,
    value: '<class>',
    summary: 'a content type or interface whose changes are sent (default: all)',
  },
  action: {
    type: 'string',
    multiple: true,
    choices: actions,
    value: '<action>',
    summary: `what is sent: ${actions.join(', ')} (default: all)`,
  },
  where: {
    type: 'string',
    value: '<predicate>',
    summary: 'over the state after a change and, with _before., before it; empty for all changes',
  },
  payload: {
    type: 'string',
    choices: ['thin', 'asset'],
    value: '<kind>',
    summary: 'thin sends the ID, asset the whole asset as well (default: thin)',
  },
} as const;

const purge = {
  method: { type: 'string', value: '<method>', summary: 'of purge requests, such as PURGE (default: POST)' },
  header: {
    type: 'string',
    multiple: true,
    value: '<header>',
    summary: 'of purge requests, such as "Surrogate-Key: {tags:space}"',
  },
  'secret-header': {
    type: 'string',
    multiple: true,
    value: '<header>',
    summary: 'of purge requests, such as "Authorization: Bearer …"; stored encrypted, never shown',
  },
  body: { type: 'string', value: '<text>', summary: 'of purge requests, such as {"tags":{tags:json}}' },
  'max-tags': { type: 'string', value: '<n>', summary: 'tags in one purge request, 1 to 256 (default: 30)' },
} as const;

const list: Command = {
  name: 'webhook list',
  examples: ['colophon webhook list'],
  summary: 'list the webhooks with their states',
  options,
  run: async (call) => (await import('../commands/webhook/webhook.ts')).list(call),
};

const create: Command = {
  name: 'webhook create',
  examples: [
    'colophon webhook create --name search --url https://search.example.com/colophon --type com.example.news.Article --payload asset',
    'colophon webhook create --kind purge --name cache --url https://cache.example.com/purge --header "Surrogate-Key: {tags:space}"',
  ],
  summary: 'make a webhook, which sends changes or purges a cache from now on; its secret is shown once',
  options: {
    name: { type: 'string', value: '<name>', isRequired: true, summary: 'what people call it' },
    url: { type: 'string', value: '<url>', isRequired: true, summary: 'the address that receives changes' },
    kind: {
      type: 'string',
      choices: ['changes', 'purge'],
      value: '<kind>',
      summary: 'changes sends messages, purge sends the cache tags of what has changed (default: changes)',
    },
    ...definition,
    ...purge,
    ...options,
  },
  run: async (call) => (await import('../commands/webhook/webhook.ts')).create(call),
};

const show: Command = {
  name: 'webhook show',
  examples: ['colophon webhook show search'],
  summary: 'show a webhook, and how far it is',
  arguments: [webhookArgument],
  options,
  run: async (call) => (await import('../commands/webhook/webhook.ts')).show(call),
};

const update: Command = {
  name: 'webhook update',
  examples: [
    'colophon webhook update search --url https://search.example.com/v2/colophon',
    'colophon webhook update search --enable',
  ],
  summary: 'change a webhook; it is tried at once',
  arguments: [webhookArgument],
  options: {
    name: { type: 'string', value: '<name>', summary: 'its new name' },
    url: { type: 'string', value: '<url>', summary: 'its new address' },
    ...definition,
    ...purge,
    enable: { type: 'boolean', summary: 'send changes, from where it has stopped' },
    disable: { type: 'boolean', summary: 'send nothing until it is enabled' },
    ...options,
  },
  run: async (call) => (await import('../commands/webhook/webhook.ts')).update(call),
};

const remove: Command = {
  name: 'webhook delete',
  examples: ['colophon webhook delete search'],
  summary: 'delete a webhook with the log of its deliveries',
  arguments: [webhookArgument],
  options: typesOption,
  run: async (call) => (await import('../commands/webhook/webhook.ts')).remove(call),
};

const rotate: Command = {
  name: 'webhook rotate',
  examples: ['colophon webhook rotate search'],
  summary: 'give a webhook a new secret; for a day messages are signed with the old one, too',
  arguments: [webhookArgument],
  options,
  run: async (call) => (await import('../commands/webhook/webhook.ts')).rotate(call),
};

const test: Command = {
  name: 'webhook test',
  examples: ['colophon webhook test search'],
  summary: 'send a test message now; fails when the receiver does not accept it',
  arguments: [webhookArgument],
  options,
  run: async (call) => (await import('../commands/webhook/webhook.ts')).test(call),
};

const deliveries: Command = {
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
    ...options,
  },
  run: async (call) => (await import('../commands/webhook/webhook-deliveries.ts')).list(call),
};

const resend: Command = {
  name: 'webhook resend',
  examples: ['colophon webhook resend search 1203'],
  summary: 'send a change again now; fails when the receiver does not accept it',
  arguments: [webhookArgument, changeArgument],
  options,
  run: async (call) => (await import('../commands/webhook/webhook-deliveries.ts')).resend(call),
};

const replay: Command = {
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
    ...options,
  },
  run: async (call) => (await import('../commands/webhook/webhook-deliveries.ts')).replay(call),
};

/** The commands about webhooks. */
export const webhookCommands = [list, create, show, update, remove, rotate, test, deliveries, resend, replay];
