/**
 * Collects the components of an OpenAPI document: named when they are first referred to, and built at the end.
 */
import type { JsonObject } from '../model/content-type.ts';
import { createNamer } from '../text/free-name.ts';

/** A JSON reference to a component. */
export type Ref = { $ref: string };

/** Collects the components of a document. */
export interface Components {
  /** Returns a reference to the component for `meaning`. It is named immediately, and built later by `make`. */
  refer(meaning: string, wantedName: string, make: () => JsonObject): Ref;
  /** Builds all components that were referred to, by name. */
  make(): Record<string, JsonObject>;
}

/** Creates an empty collection. A name gets a number as suffix if it is in `taken`, or if generators would write it like another. */
export function createComponents(taken: readonly string[]): Components {
  const nameOf = createNamer({ taken, toKey: toWritten });
  const byMeaning = new Map<string, { name: string; make: () => JsonObject }>();
  return {
    refer(meaning, wantedName, make) {
      const component = byMeaning.get(meaning) ?? { name: nameOf(wantedName), make };
      byMeaning.set(meaning, component);
      return { $ref: `#/components/schemas/${component.name}` };
    },
    make() {
      const schemas: Record<string, JsonObject> = {};
      // The iteration also reaches components that are added during it, because others refer to them.
      for (const { name, make } of byMeaning.values()) schemas[name] = make();
      return schemas;
    },
  };
}

/** Reduces a name to the part that generators keep when they adapt it to a language: `my_type` may become `MyType`. */
const toWritten = (name: string) => name.replaceAll('_', '').toLowerCase();
