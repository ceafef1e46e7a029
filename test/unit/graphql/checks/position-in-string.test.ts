import { type DocumentNode, Kind, parse, type StringValueNode, visit } from 'graphql';
import { describe, expect, it } from 'vitest';
import { positionInString } from '../../../../src/graphql/checks/check-lists.ts';

function literalIn(document: DocumentNode): StringValueNode {
  let found: StringValueNode | undefined;
  visit(document, {
    StringValue(node) {
      found ??= node;
    },
  });
  if (found?.kind !== Kind.STRING) throw new Error('no text');
  return found;
}

/** The literal of a document, and the index of each `§` in its value. The marks stay in the text. */
function placesOf(source: string) {
  const node = literalIn(parse(source));
  const columns = [...node.value].flatMap((character, index) => (character === '§' ? [index + 1] : []));
  return columns.map((column) => positionInString(node, column));
}

/** The line and column of each `§` in the document. */
function marksIn(source: string) {
  return source
    .split(/\r\n|[\r\n]/)
    .flatMap((text, line) =>
      [...text.matchAll(/§/g)].map(({ index }) => ({ line: line + 1, column: index + 1 })),
    );
}

describe('a character of a text', () => {
  it.each([
    ['plain', '{ a(b: "one § two §") }'],
    ['first and last', '{\n  a(b: "§")\n}'],
    ['behind escapes', String.raw`{ a(b: "\"x\" = \\ \n \u00e9 \u{1F600} \uD83D\uDE00 § \t §") }`],
    ['behind characters beyond the basic plane', '{ a(b: "😀😀 § é §") }'],
    ['in a block', '{ a(b: """one § two §""") }'],
    ['in an indented block', '{\n  a(b: """\n\n    one §\n      two §\n\n    three§\n   \n  """)\n}'],
    ['in a block that begins on its first line', '{ a(b: """ § one\n      two §\n    three § """) }'],
    ['behind quotes in a block', '{ a(b: """\n  \\"""x\\""" § \\n §\n  """) }'],
    ['behind all kinds of line ends', '{ a(b: """\r\n  a §\r  b §\n  c §\r\n""") }'],
    ['in a block with blank lines shorter than its indentation', '{ a(b: """\n    a §\n \n    b §\n""") }'],
  ])('is found where it stands: %s', (_name, source) => {
    expect(placesOf(source)).toEqual(marksIn(source));
    expect(marksIn(source).length).toBeGreaterThan(0);
  });

  it('is located at its escape', () => {
    const node = literalIn(parse(String.raw`{ a(b: "1\u{1F600}2\uD83D\uDE003\n4") }`));
    expect([...node.value]).toEqual(['1', '😀', '2', '😀', '3', '\n', '4']);
    const columns = [...node.value].map((_, index) => positionInString(node, index + 1).column);
    expect(columns).toEqual([9, 10, 19, 20, 32, 33, 35]);
  });

  it('can be located at the end of the text', () => {
    for (const [source, column] of [
      ['{ a(b: "ab") }', 11],
      ['{ a(b: "") }', 9],
      ['{ a(b: """ab""") }', 13],
      ['{ a(b: """ab  """) }', 15],
    ] as const) {
      const node = literalIn(parse(source));
      expect(positionInString(node, [...node.value].length + 1)).toEqual({ line: 1, column });
      expect(positionInString(node, 1000)).toEqual({ line: 1, column });
    }
    const lines = literalIn(parse('{ a(b: """\n  ab\n  """) }'));
    expect(positionInString(lines, 3)).toEqual({ line: 2, column: 5 });
  });
});
