/**
 * Leaves out of a generated module of types what no code can use. The generators always write some types, such as those of
 * subscriptions, and no option turns them off.
 */

/** Keeps the exported types of a module that one of them, `root`, leads to, and the imports that these need. */
export function keepReachableTypes(module: string, root: string): string {
  const [imports = '', ...declarations] = module.split(startOfDeclaration);
  const byName = new Map(declarations.map((text) => [nameOf(text), text]));
  const kept = new Set([root]);
  // A set's iteration also visits what is added to it on the way.
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

/** The names that a text refers to: no comments, literals or names of members. */
const wordsOf = (text: string): string[] =>
  text.replace(/\/\*[\s\S]*?\*\/|'[^']*'/g, '').match(/\b\w+\b(?!\??:)/g) ?? [];

function keepImports(imports: string, used: ReadonlySet<string>): string {
  return imports.replace(/^import type \{ (.*) \} from (.*)\n/gm, (_, names: string, file: string) => {
    const kept = names.split(', ').filter((name) => used.has(name.trim()));
    return kept.length > 0 ? `import type { ${kept.join(', ')} } from ${file}\n` : '';
  });
}
