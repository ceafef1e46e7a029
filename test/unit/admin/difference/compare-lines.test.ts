import { expect, it } from 'vitest';
import { compareLines } from '../../../../src/admin/parts/difference/compare-lines.ts';

const lines = (...texts: readonly (string | number)[]) => `${texts.join('\n')}\n`;

it('finds no difference between equal texts', () => {
  expect(compareLines(lines('a', 'b'), lines('a', 'b'))).toEqual([]);
});

it('shows what was removed before what was added', () => {
  expect(compareLines(lines('a', 'b', 'c'), lines('a', 'x', 'c'))).toEqual([
    { lines: [{ kind: 'same', text: 'a' }] },
    { lines: [{ kind: 'removed', text: 'b' }] },
    { lines: [{ kind: 'added', text: 'x' }] },
    { lines: [{ kind: 'same', text: 'c' }] },
  ]);
});

it('hides equal lines except three around each difference', () => {
  const body = Array.from({ length: 20 }, (_, index) => index);
  const stretches = compareLines(lines('a', ...body, 'b', ...body), lines('x', ...body, 'y', ...body));
  const outline = stretches.map((stretch) =>
    'folded' in stretch ? stretch.folded : stretch.lines.map(({ text }) => text),
  );
  expect(outline).toEqual([
    ['a'],
    ['x'],
    ['0', '1', '2'],
    14,
    ['17', '18', '19'],
    ['b'],
    ['y'],
    ['0', '1', '2'],
    17,
  ]);
});

it('marks the words that differ in lines that replace others', () => {
  const stretches = compareLines(
    lines('query A {', '  list(limit: 10) { name }', '}'),
    lines('query A {', '  list(limit: 20) {', '    name', '  }', '}'),
  );
  const marked = stretches.flatMap((stretch) =>
    'folded' in stretch
      ? []
      : stretch.lines.map(({ kind, text, parts }) => [
          kind,
          text,
          parts
            ?.filter(({ isChanged }) => isChanged)
            .map((part) => part.text.trim())
            .filter(Boolean),
        ]),
  );
  expect(marked).toEqual([
    ['same', 'query A {', undefined],
    ['removed', '  list(limit: 10) { name }', ['10']],
    ['added', '  list(limit: 20) {', ['20']],
    ['added', '    name', []],
    ['added', '  }', []],
    ['same', '}', undefined],
  ]);
});
