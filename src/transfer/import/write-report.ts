/**
 * Writes the report of an import: each refused line, with the reasons and its content, in a form that can be imported again.
 */
import type { Problem } from '../../base/problems.ts';
import { startWholeFile } from '../atomic-file.ts';
import type { DanglingReference } from './dangling-references.ts';
import type { Journal } from './journal.ts';

/** How much is written at once. */
const blockCharacters = 65_536;

/**
 * Writes the refused lines of the journal and, with `withDangling`, its dangling references.
 *
 * Errors: transfer_failed, the file system's own; an earlier report is then left as it was.
 */
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

/** Builds a report line; `kept` is the member that keeps the content of the line, as JSON text. */
function toLine(line: number, problems: readonly Problem[], kept: string): string {
  return `{"line":${line},"problems":${JSON.stringify(problems)},${kept}}`;
}

/** Describes a reference whose target does not exist. */
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
