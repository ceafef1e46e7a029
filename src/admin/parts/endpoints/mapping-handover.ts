/**
 * Hands a mapping from one page to the form of a REST endpoint. The mapping is kept in the browser's session storage, so that it
 * survives a reload, and is read once.
 */
import type { MappingMethod } from '../../api.ts';
import { tabValues } from '../../kept-values.ts';

/** A mapping to add, and the GraphQL endpoint it was written for. */
export interface HandedOverMapping {
  /** The ID of the GraphQL endpoint; a form that has another source says so. */
  readonly source: string;
  /** What is left out is filled in as a save would. */
  readonly mapping: {
    readonly name: string;
    readonly query: string;
    readonly path?: string;
    readonly methods?: readonly MappingMethod[];
    /** Values of the variables to try it with. */
    readonly examples?: Readonly<Record<string, unknown>>;
  };
}

const key = 'colophon.mapping';

/** Stores a mapping for the form that is opened next, at `/admin/rest-endpoints/new` or that of an endpoint. */
export function handOverMapping(handedOver: HandedOverMapping): void {
  tabValues.set(key, JSON.stringify(handedOver));
}

/** Reads and removes the stored mapping; returns undefined when there is none. */
export function takeHandedOverMapping(): HandedOverMapping | undefined {
  const handedOver = tabValues.getJson(key);
  tabValues.remove(key);
  // Only `handOverMapping` writes there.
  return handedOver as HandedOverMapping | undefined;
}
