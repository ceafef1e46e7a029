/**
 * The problems a server found in a document, shown by an editor where they are.
 */
import { type Diagnostic, linter } from '@codemirror/lint';
import { type EditorState, StateEffect, StateField, type Text } from '@codemirror/state';

/** Something wrong in a document; `line` and `column` count from 1, and both are there or neither. */
export interface DocumentProblem {
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** Tells an editor the problems of its document. */
export const setProblems = StateEffect.define<readonly DocumentProblem[]>();

const problemsField = StateField.define<readonly DocumentProblem[]>({
  create: () => [],
  update: (problems, { effects }) => effects.find((effect) => effect.is(setProblems))?.value ?? problems,
});

/** What shows the problems; what another linter says of the same line in the same words is shown once. */
export const documentProblems = [
  problemsField,
  linter(({ state }) => state.field(problemsField).map((problem) => toDiagnostic(state.doc, problem)), {
    needsRefresh: ({ startState, state }) => startState.field(problemsField) !== state.field(problemsField),
    markerFilter: withoutRepeats,
    tooltipFilter: withoutRepeats,
  }),
];

/** From the named character to the end of its word. */
function toDiagnostic(doc: Text, { message, line = 1, column = 1 }: DocumentProblem): Diagnostic {
  const place = doc.line(Math.min(line, doc.lines));
  const from = Math.min(place.from + column - 1, place.to);
  const word = /^\w+|^./.exec(doc.sliceString(from, place.to))?.[0] ?? '';
  return { from, to: from + word.length, severity: 'error', message };
}

function withoutRepeats(diagnostics: readonly Diagnostic[], { doc }: EditorState): Diagnostic[] {
  const line = ({ from }: Diagnostic) => doc.lineAt(Math.min(from, doc.length)).number;
  return diagnostics.filter(
    (diagnostic, index) =>
      diagnostics.findIndex(
        (other) => line(other) === line(diagnostic) && other.message === diagnostic.message,
      ) === index,
  );
}
