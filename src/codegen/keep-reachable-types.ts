/**
 * Removes unused types from a generated module. GraphQL Code Generator always writes some types, such as those of subscriptions,
 * and no option turns them off.
 */

/** Keeps the exported types that `root` uses, directly or through others, and the imports that they need. */
export function keepReachableTypes(module: string, root: string): string {
  const [imports = '', ...declarations] = module.split(startOfDeclaration);
  const byName = new Map(declarations.map((text) => [nameOf(text), text]));
  const kept = new Set([root]);
  // Iterating a set also visits members that are added meanwhile.
  for (const name of kept) {
    for (const word of wordsOf(byName.get(name) ?? '')) if (byName.has(word)) kept.add(word);
  }
  const keptTypes = declarations.filter((text) => kept.has(nameOf(text)));
  const used = new Set(keptTypes.flatMap(wordsOf));
  return [keepImports(imports, used), ...keptTypes].join('').replace(/\n{3,}/g, '\n\n');
}

/** Where a declaration begins, its comment included. */
const startOfDeclaration = /^(?=(?:\/\*\*[^\n]*\n)?export (?:type|interface) )(?<!\*\/\n)/m;

const nameOf = (declaration: string) => /^export (?:type|interface) (\w+)/m.exec(declaration)?.[1] ?? '';

/** Lists the names that a text refers to, without comments, literals and names of members. */
const wordsOf = (text: string): string[] =>
  text.replace(/\/\*[\s\S]*?\*\/|'[^']*'/g, '').match(/\b\w+\b(?!\??:)/g) ?? [];

function keepImports(imports: string, used: ReadonlySet<string>): string {
  return imports.replace(/^import type \{ (.*) \} from (.*)\n/gm, (_, names: string, file: string) => {
    const kept = names.split(', ').filter((name) => used.has(name.trim()));
    return kept.length > 0 ? `import type { ${kept.join(', ')} } from ${file}\n` : '';
  });
}
