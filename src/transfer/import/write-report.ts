/**
 * Writes the report of an import: each line that was refused, with the reasons and with what it held, in a form that can be imported.
 */
import type { Problem } from '../../base/problems.ts';
import { startWholeFile } from '../atomic-file.ts';
import type { DanglingReference } from './dangling-references.ts';
import type { Journal } from './journal.ts';

/** Enough to write at once. */
const blockCharacters = 65_536;

/** Writes all that the journal has of it; references that lead nowhere as yet only when asked for. Errors: transfer_failed, the file system's own; then there is no new report. */
export function writeReport(
  journal: Journal,
  { path, processId, withDangling }: { path: string; processId: number; withDangling: boolean },
): void {
  const file = startWholeFile(path, processId);
  try {
    let block = '';
    for (const line of reportLines(journal, withDangling)) {
      block += `${line}\n`;
      if (block.length < blockCharacters) continue;
      file.write(block);
      block = '';
    }
    file.write(block);
    file.finish();
  } finally {
    file.discard();
  }
}

function* reportLines({ failures, dangling }: Journal, withDangling: boolean): Iterable<string> {
  for (const { line, problems, kept } of failures()) {
    yield toLine(line, problems, kept);
  }
  if (!withDangling) return;
  for (const references of ofOneLine(dangling.all())) {
    const [first] = references;
    if (!first) continue;
    const problems = references.map(toProblem);
    if (first.kept !== null) {
      yield toLine(first.line, problems, first.kept);
      continue;
    }
    const unresolved = references.map(({ path, ref, type }) => ({ path, _ref: ref, _type: type }));
    yield toLine(first.line, problems, `"written":${JSON.stringify({ _id: first.id, unresolved })}`);
  }
}

/** `kept` is the member that keeps what the line held, as JSON text. */
function toLine(line: number, problems: readonly Problem[], kept: string): string {
  return `{"line":${line},"problems":${JSON.stringify(problems)},${kept}}`;
}

/** What is wrong with a reference whose target is nowhere. */
export function toProblem({ path, ref, type, kept }: DanglingReference): Problem {
  const asset = kept === null ? '; the asset itself is there' : '';
  return { path, message: `refers to ${ref}, and there is no such ${type}${asset}` };
}

function* ofOneLine(references: Iterable<DanglingReference>): Iterable<DanglingReference[]> {
  let group: DanglingReference[] = [];
  for (const reference of references) {
    if (group[0] && group[0].line !== reference.line) {
      yield group;
      group = [];
    }
    group.push(reference);
  }
  yield group;
}
