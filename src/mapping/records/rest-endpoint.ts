/**
 * A REST endpoint as data: a path prefix, the GraphQL endpoint that it uses, and the operations of its routes. Its shape is defined in
 * openapi/admin.yaml.
 */

import { isDeepStrictEqual } from 'node:util';
import type * as api from '../../../generated/server/admin.ts';
import type { DeepReadonly } from '../../base/deep-readonly.ts';
import type { ContentService, StoredAsset } from '../../content/content-service.ts';
import type { Asset } from '../../model/content-type.ts';

/** The methods that a mapping can have. A query with GET also responds to HEAD. */
export const mappingMethods = ['GET', 'POST', 'PUT', 'DELETE'] as const satisfies readonly MappingMethod[];
export type MappingMethod = api.MappingMethod;

/** A route: a path, its methods, and one stored operation. */
export type Mapping = DeepReadonly<api.Mapping>;

/** The part of a REST endpoint that is edited, checked, stored and published. */
export type RestEndpointDefinition = DeepReadonly<api.RestEndpointDefinition>;

/** The kind of a change of a REST endpoint. */
export type VersionAction = api.VersionAction;

/** One state of a REST endpoint, current or past. */
export interface RestEndpointVersion {
  /** 1 for the first version; each change adds 1. */
  readonly number: number;
  readonly action: VersionAction;
  /** Milliseconds since 1970-01-01T00:00Z. */
  readonly savedAtMs: number;
  /** Who made the change: the email of a user, the ID of an API client, or the command line. */
  readonly savedBy: string;
  readonly definition: RestEndpointDefinition;
}

/** A stored REST endpoint. */
export interface RestEndpoint {
  readonly id: string;
  /** Changes with every write; the content of its ETag. */
  readonly version: string;
  /** The current state; its definition is the draft. */
  readonly current: RestEndpointVersion;
  /** Absent if it is not published. */
  readonly published?: Published;
}

/** The published definition of a REST endpoint, and the number of the version that published it. */
export interface Published {
  readonly number: number;
  readonly definition: RestEndpointDefinition;
}

/** The class name of the records of REST endpoints. */
export const endpointClass = 'com.colophon.system.RestEndpoint';
/** The class name of the records of their past states. */
export const versionClass = 'com.colophon.system.RestEndpointVersion';

/** A REST endpoint that is not published, published as it stands, or changed since. */
type RestEndpointState = 'draft' | 'published' | 'changed';

export function stateOf({ current, published }: RestEndpoint): RestEndpointState {
  if (!published) return 'draft';
  return isDeepStrictEqual(current.definition, published.definition) ? 'published' : 'changed';
}

/** Lists the definitions of an endpoint that are in use: its draft and the published one. */
export function definitionsOf({
  current,
  published,
}: Pick<RestEndpoint, 'current' | 'published'>): readonly RestEndpointDefinition[] {
  return published ? [current.definition, published.definition] : [current.definition];
}

/** Finds the names of the REST endpoints whose draft or published definition is mapped onto a GraphQL endpoint. */
export async function findDependents(system: ContentService, sourceId: string): Promise<readonly string[]> {
  const where = 'draft.source = ? or published.source = ?';
  const values = [sourceId, sourceId];
  const page = { from: endpointClass, where, values, offset: 0, limit: maxNamed, withCount: false };
  const { items } = await system.find(page, {});
  return items.map(({ asset }) => String(asset.name));
}

/** The most REST endpoints that an error names. */
const maxNamed = 20;

export function toRestEndpoint({ asset, version }: StoredAsset): RestEndpoint {
  const { published, publishedNumber } = asset;
  return {
    id: asset._id,
    version,
    current: toState(asset, toDefinition(asset.draft)),
    ...(published === undefined
      ? {}
      : { published: { number: Number(publishedNumber), definition: toDefinition(published) } }),
  };
}

export function toPastState(asset: Asset): RestEndpointVersion {
  return toState(asset, toDefinition(asset.definition));
}

function toState(asset: Asset, definition: RestEndpointDefinition): RestEndpointVersion {
  return {
    number: Number(asset.number),
    // The record's content type has an enum of these values.
    action: asset.action as VersionAction,
    savedAtMs: Number(asset.savedAt),
    savedBy: String(asset.savedBy),
    definition,
  };
}

/** The content type of the record has the same members as the definition, with the same types. */
function toDefinition(value: unknown): RestEndpointDefinition {
  return value as RestEndpointDefinition;
}
