import { describe, expect, it } from 'vitest';
import { findOperator, operatorFits, operatorSpellings, operators } from '../../../src/query/operators.ts';

describe('operators', () => {
  it('have distinct spellings, ignoring case', () => {
    const spellings = operators.flatMap((operator) =>
      operatorSpellings[operator].map((each) => each.toLowerCase()),
    );
    expect(new Set(spellings).size).toBe(spellings.length);
  });

  it.each(['', '==', 'like', 'not', '__proto__', 'constructor', '\u212a'])('are not spelled %j', (word) => {
    expect(findOperator(word)).toBeUndefined();
  });

  it.each([
    ['text', operators.length],
    ['number', 6],
    ['boolean', 2],
    ['reference', 2],
    ['type', 2],
    ['opaque', 2],
  ] as const)('fit %s as the language says', (family, count) => {
    expect(operators.filter((operator) => operatorFits(operator, family))).toHaveLength(count);
  });
});
