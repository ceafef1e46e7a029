/** Shapes of types: how they are compared, and how values of a former shape become values of a new one. */

import { describe, expect, it } from 'vitest';
import { toNewShape } from '../../../src/model/values/check-stored.ts';
import { shapeOf } from '../../../src/types/type-shape.ts';
import { catalogOf } from '../../support/types.ts';

function shape(field: string, directives = '', others = ''): string {
  const sdl = `type A @contentType(class: "x.A") ${directives} { ${field} } ${others}`;
  const type = catalogOf(sdl).types.get('x.A');
  if (!type) throw new Error('x.A is missing');
  return shapeOf(type);
}

describe('the shape of a type', () => {
  it('does not change with former names, deprecation or the default of an optional field', () => {
    const plain = shape('a: Int');
    expect(shape('a: Int @was(name: "b") @deprecated(reason: "Old.") @default(value: 1)')).toBe(plain);
    expect(shape('a: Int', '@was(class: "x.B")')).toBe(plain);
  });

  it('changes with dropped fields, which decide what is shown', () => {
    const [plain, one, other, both, reverse] = ['', '"b"', '"c"', '"b", "c"', '"c", "b"'].map((names) =>
      shape('a: Int', names && `@drops(fields: [${names}])`),
    );
    expect(new Set([plain, one, other, both]).size).toBe(4);
    expect(reverse).toBe(both);
  });

  it('changes with dropped fields of an embedded type', () => {
    const [plain, dropping] = ['', '@drops(fields: ["c"])'].map((directive) =>
      shape('a: B', '', `type B ${directive} { d: Int }`),
    );
    expect(dropping).not.toBe(plain);
  });

  it('changes with the default of a required field, which decides what is accepted', () => {
    const shapes = ['a: Int!', 'a: Int! @default(value: 1)', 'a: Int! @default(value: 2)'].map((one) =>
      shape(one),
    );
    expect(new Set(shapes).size).toBe(3);
  });
});

describe('a value of a former shape', () => {
  it('gives blocks the present names of their kind and of its fields, and leaves those of an unknown kind', () => {
    const catalog = catalogOf(`
    union Block = Saying | Plain
    type Saying @was(name: "Quote") { words: String @was(name: "text") rank: Int! @default(value: 1) }
    type Plain { body: [Block!] }
    type Note @contentType(class: "x.Note") { body: [Block!] }`);
    const type = catalog.types.get('x.Note') ?? expect.fail('no such type');
    const quote = { _type: 'Quote', text: 'a' };
    const film = { _type: 'Film', url: 'b' };
    const stored = { _id: '1', _type: 'x.Note', body: [quote, film, { _type: 'Plain', body: [quote] }] };
    const saying = { _type: 'Saying', words: 'a', rank: 1 };
    expect(toNewShape(stored, type, catalog)).toEqual({
      ...stored,
      body: [saying, film, { _type: 'Plain', body: [saying] }],
    });
  });
});
