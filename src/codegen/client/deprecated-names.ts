/**
 * Generates deprecated aliases for types of the client that had other names in 0.1: `NewText` for `TextCreate`, and
 * `TextChanges` for `TextUpdate`.
 */
import { generatedNotice } from '../generated-files.ts';

/** The names that end the schemas of requests, and what 0.1 called such a schema. */
const renamed = [
  { ending: 'Create', toFormerName: (base: string) => `New${base}` },
  { ending: 'Update', toFormerName: (base: string) => `${base}Changes` },
];

/** Makes a module of aliases for the types in `types.gen.ts` beside it, leaving out names that other types have. */
export function deprecatedNamesModule(types: string): string {
  const names = [...types.matchAll(/^export type (\w+) =/gm)].map(([, name = '']) => name);
  const aliases = names.flatMap((name) =>
    renamed
      .filter(({ ending }) => name.endsWith(ending) && names.includes(name.slice(0, -ending.length)))
      .map(({ ending, toFormerName }) => ({ name, former: toFormerName(name.slice(0, -ending.length)) }))
      .filter(({ former }) => !names.includes(former)),
  );
  const lines = aliases.map(
    ({ name, former }) => `/** @deprecated Use \`${name}\`. */\nexport type ${former} = ${name};\n`,
  );
  const imported = aliases.map(({ name }) => name).sort();
  const importLine =
    imported.length > 0 ? `import type { ${imported.join(', ')} } from './types.gen.js';\n\n` : '';
  return `// ${generatedNotice}\n\n${importLine}${lines.join('\n')}${aliases.length > 0 ? '' : 'export {};\n'}`;
}
