/**
 * Where the guide explains what the reference lists.
 */

/** A page of the guide, or a part of it. */
export interface GuidePlace {
  readonly label: string;
  /** The path below that of the guide. */
  readonly path: string;
}

const place = (label: string, path: string): GuidePlace => ({ label, path });

/** The place for each document; that of a published REST endpoint is under `rest`. */
export const documentPlaces: Readonly<Record<'cma' | 'admin' | 'rest', GuidePlace>> = {
  cma: place('The content management API', 'cma'),
  admin: place('The admin API', 'admin-api'),
  rest: place('REST endpoints', 'rest-endpoints'),
};

/** The places for the sections of the admin API, by their tags. */
export const sectionPlaces: Readonly<Record<string, GuidePlace>> = {
  dashboard: place('Endpoints and clients', 'admin-ui#endpoints-and-clients'),
  session: place('Sessions', 'admin-api#sessions'),
  account: place('Sessions', 'admin-api#sessions'),
  users: place('Users and roles', 'admin-ui#users-and-roles'),
  types: place('Checking types', 'checking-types'),
  'api-clients': place('API clients', 'operating#api-clients'),
  'graphql-endpoints': place('GraphQL endpoints', 'graphql#create-an-endpoint'),
  'rest-endpoints': place('REST endpoints', 'rest-endpoints'),
  configuration: place('Configuration as files', 'configuration-as-files'),
  contents: place('Assets', 'admin-api#assets'),
  releases: place('Create and publish a release', 'releases#create-and-publish-a-release'),
  files: place('Files', 'files'),
  query: place('Predicates', 'predicates'),
  changes: place('Audit', 'operating#audit'),
  runs: place('Runs', 'runs'),
  webhooks: place('Webhooks', 'webhooks'),
  usage: place('Usage', 'operating#usage'),
};

/** The places for operations of the content management API, whose guide has a part for each. */
export const operationPlaces: Readonly<Record<string, GuidePlace>> = {
  queryAssets: place('Query assets', 'cma#query-assets'),
  postAssetQuery: place('Long queries', 'cma#long-queries'),
  createAsset: place('Create an asset', 'cma#create-an-asset'),
  getAsset: place('Read an asset', 'cma#read-an-asset'),
  updateAsset: place('Update an asset', 'cma#update-an-asset'),
  patchAsset: place('Patch an asset', 'cma#patch-an-asset'),
  deleteAsset: place('Delete an asset', 'cma#delete-an-asset'),
  batchAssets: place('Batches', 'cma#batches'),
  uploadFile: place('Upload a file', 'files#upload-a-file'),
  listChanges: place('The feed', 'feed'),
  listAssetHistory: place('List the changes', 'history#list-the-changes'),
  restoreAsset: place('Restore', 'history#restore'),
  withdrawAsset: place('Withdraw an asset', 'releases#withdraw-an-asset'),
};
