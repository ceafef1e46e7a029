/**
 * Valid bodies of operations of the admin API that depend on nothing.
 */
import type { Json } from '../../model/content-type.ts';

const sources = [
  {
    file: 'contract.graphql',
    text: 'type ContractTest @contentType(class: "contract.Test") { name: String }',
  },
];
const named = { name: 'Contract test' };

/** The bodies by operation ID. */
export const fixedBodies: Readonly<Record<string, Json>> = {
  changeOwnPassword: { currentPassword: 'no such password', newPassword: 'no such password' },
  checkInvitation: { token: 'no-such.token' },
  acceptInvitation: { token: 'no-such.token', name: 'Contract test', password: 'no such password' },
  updateUser: { role: 'editor' },
  replaceUser: { role: 'editor' },
  beginOpenidSignIn: { returnTo: '/admin' },
  finishOpenidSignIn: { query: '?code=none&state=none' },
  signIn: { email: 'nobody@example.com', password: 'no such password' },
  updateApiClient: named,
  replaceApiClient: { ...named, scopes: ['cma:read'] },
  addKey: named,
  updateContent: {},
  listTitles: { ids: ['00000000-0000-4000-8000-000000000000'] },
  searchContents: { text: 'contract' },
  reportPresence: { state: 'viewing' },
  restoreContent: { at: Number.MAX_SAFE_INTEGER },
  revertRun: { dryRun: true },
  updateRelease: { title: 'Contract test' },
  rebaseDraft: {},
  publishRelease: { dryRun: true },
  scheduleRelease: { at: 8_640_000_000_000_000 },
  createPreviewLink: {},
  // The name `invalid` is that of no host.
  createWebhook: { name: 'Contract test', url: 'https://contract.invalid/', types: ['*'] },
  updateView: named,
  updateWebhook: { payload: 'thin' },
  replaceWebhook: { name: 'Contract test', url: 'https://contract.invalid/', types: ['*'] },
  replayWebhook: { from: Number.MAX_SAFE_INTEGER },
  dryRunWebhookReplay: { from: Number.MAX_SAFE_INTEGER },
  checkWebhook: { types: ['*'] },
  changeTrustedDocuments: { add: ['{ __typename }'] },
  runOperation: { query: '{ __typename }' },
  applyConfiguration: { graphqlEndpoints: [], restEndpoints: [], webhooks: [], apiClients: [], dryRun: true },
  checkTypes: { sources, against: sources },
};
