/**
 * Compiles TypeScript modules in memory into ES modules with their declarations.
 */
import ts from 'typescript';
import type { GeneratedFiles } from './generated-files.ts';

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2022.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  newLine: ts.NewLineKind.LineFeed,
  types: [],
  strict: true,
  rewriteRelativeImportExtensions: true,
  declaration: true,
  skipDefaultLibCheck: true,
};

/** The hand-written half of the client does not fit the generated one. The message says what to change. */
export class ClientSourceError extends Error {
  override readonly name = 'ClientSourceError';
}

/** Compiles modules that import only each other. Errors: ClientSourceError with the compiler's messages. */
export function compileTypeScript(sources: GeneratedFiles): GeneratedFiles {
  const emitted = new Map<string, string>();
  const host = createHost(sources, (path, text) => emitted.set(path, text));
  const program = ts.createProgram([...sources.keys()].map(toRooted), options, host);
  const transformers = { afterDeclarations: [nameCompiledFiles] };
  const { diagnostics } = program.emit(undefined, undefined, undefined, undefined, transformers);
  const problems = [...ts.getPreEmitDiagnostics(program), ...diagnostics];
  if (problems.length > 0) throw new ClientSourceError(ts.formatDiagnostics(problems, host));
  return emitted;
}

/**
 * Rewrites the imports of declarations from `./x.ts` to `./x.js`. The compiler's own option does this in JavaScript only; the
 * declarations would import files that the package does not have.
 */
function nameCompiledFiles(context: ts.TransformationContext): ts.Transformer<ts.SourceFile | ts.Bundle> {
  const { factory } = context;
  const rename = (specifier: ts.Expression) =>
    ts.isStringLiteral(specifier)
      ? factory.createStringLiteral(specifier.text.replace(/\.ts$/, '.js'), true)
      : specifier;
  const visit = (node: ts.Node): ts.Node => {
    if (ts.isImportDeclaration(node)) {
      const { modifiers, importClause, moduleSpecifier, attributes } = node;
      return factory.updateImportDeclaration(
        node,
        modifiers,
        importClause,
        rename(moduleSpecifier),
        attributes,
      );
    }
    if (ts.isExportDeclaration(node) && node.moduleSpecifier) {
      const { modifiers, isTypeOnly, exportClause, moduleSpecifier, attributes } = node;
      const renamed = rename(moduleSpecifier);
      return factory.updateExportDeclaration(node, modifiers, isTypeOnly, exportClause, renamed, attributes);
    }
    return node;
  };
  return (file) => ts.visitEachChild(file, visit, context);
}

/** A folder that does not exist on disk, so that modules resolve only to the sources. */
const root = '/colophon-client/';

const toRooted = (path: string) => root + path;

function createHost(sources: GeneratedFiles, emit: (path: string, text: string) => void): ts.CompilerHost {
  const disk = ts.createCompilerHost(options);
  const sourceAt = (path: string) =>
    path.startsWith(root) ? sources.get(path.slice(root.length)) : undefined;
  return {
    ...disk,
    getCurrentDirectory: () => root,
    fileExists: (path) => sourceAt(path) !== undefined || (!path.startsWith(root) && disk.fileExists(path)),
    readFile: (path) => sourceAt(path) ?? disk.readFile(path),
    directoryExists: () => true,
    getSourceFile: (path, languageVersion) => {
      const text = sourceAt(path);
      return text === undefined
        ? disk.getSourceFile(path, languageVersion)
        : ts.createSourceFile(path, text, languageVersion);
    },
    writeFile: (path, text) => emit(path.slice(root.length), text),
  };
}

/** Parses a module into its syntax tree. */
export const parseModule = (text: string): ts.SourceFile =>
  ts.createSourceFile('module.ts', text, ts.ScriptTarget.Latest, true);
