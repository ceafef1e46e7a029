/**
 * Finds the field paths that hold references, through lists and embedded values too.
 */
import type { ContentType, Field } from './content-type.ts';

/** The depth limit of paths, since an embedded type may contain itself. */
const maxNames = 8;
const maxPaths = 200;

/** Finds the paths of a type's fields that may refer to the class `target`, shorter ones first, at most 200. */
export function referencePaths({ fields }: Pick<ContentType, 'fields'>, target: string): string[] {
  const found: string[] = [];
  let level: { names: readonly string[]; fields: ReadonlyMap<string, Field> }[] = [{ names: [], fields }];
  for (let depth = 1; depth <= maxNames && found.length < maxPaths; depth++) {
    const next: typeof level = [];
    for (const { names, fields: members } of level) {
      for (const { name, type } of members.values()) {
        const path = [...names, name];
        if (type.kind === 'reference' && type.targets.includes(target)) found.push(path.join('.'));
        if (type.kind === 'embedded') next.push({ names: path, fields: type.type.fields });
      }
    }
    level = next.slice(0, maxPaths);
  }
  return found.slice(0, maxPaths);
}
