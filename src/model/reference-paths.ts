/**
 * The paths by which assets of a type can refer to others, those through lists and embedded values included.
 */
import type { ContentType, Field } from './content-type.ts';

/** How deep paths go: an embedded type may contain itself, so they have no end of their own. */
const maxNames = 8;
const maxPaths = 200;

/** The paths of the fields of a type that may refer to assets of the class `target`, shorter ones first, 200 at most. */
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
