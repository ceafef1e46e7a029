import { describe, expect, it } from 'vitest';
import { shapeOf } from '../../../../src/model/types/type-shape.ts';
import { catalogOf } from '../../../support/types.ts';

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
