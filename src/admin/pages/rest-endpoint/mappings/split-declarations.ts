/**
 * Divides the TypeScript of a route into what a caller needs and the input objects of its variables.
 */

/** The declarations with a comment, as one text, and those without, which are the input objects. */
export function splitDeclarations(typescript: string): { own: string; inputs: readonly string[] } {
  const declarations = typescript.trimEnd().split(/\n\n(?=\/\*\*|export )/);
  const isInput = (declaration: string) => declaration.startsWith('export ');
  return {
    own: declarations.filter((each) => !isInput(each)).join('\n\n'),
    inputs: declarations.filter(isInput),
  };
}
