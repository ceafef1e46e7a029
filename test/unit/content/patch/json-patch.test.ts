/** JSON Patch: the test suite of json-patch.org, and patches that would do harm. */
import specification from 'json-patch-test-suite/spec_tests.json' with { type: 'json' };
import suite from 'json-patch-test-suite/tests.json' with { type: 'json' };
import { describe, expect, it } from 'vitest';
import { applyJsonPatch, readOperations } from '../../../../src/content/patch/patch-asset.ts';
import type { Json } from '../../../../src/model/content-type.ts';

/** A case of the suite: a patch that leads to `expected`, that changes nothing, or that fails with `error`. */
interface SuiteCase {
  readonly comment?: string;
  readonly doc: Json;
  readonly patch: Json;
  readonly expected?: Json;
  readonly error?: string;
  readonly disabled?: boolean;
}

const cases = [...suite, ...specification] as readonly SuiteCase[];
const apply = (value: Json, patch: Json) => applyJsonPatch(value, readOperations(patch));

describe('a JSON Patch', () => {
  it.each(
    cases
      .filter(({ disabled, doc, patch }) => !disabled && doc !== undefined && patch !== undefined)
      .map((each, index) => [`${index} ${each.comment ?? each.error ?? ''}`, each] as const),
  )('does what the test suite says: %s', (_name, { doc, patch, expected, error }) => {
    const before = structuredClone(doc);
    if (error === undefined) expect(apply(doc, patch)).toEqual(expected ?? doc);
    else expect(() => apply(doc, patch)).toThrow();
    expect(doc).toEqual(before);
  });

  const asset = { tags: ['a', 'b'], name: 'x' };

  it.each([
    ['the length of a list', [{ op: 'replace', path: '/tags/length', value: 0 }]],
    ['an item that is removed by a word', [{ op: 'remove', path: '/tags/first' }]],
    ['what objects inherit', [{ op: 'copy', from: '/constructor/name', path: '/name' }]],
    ['the prototype of an object', [{ op: 'add', path: '/__proto__/polluted', value: true }]],
    ['a character of a text', [{ op: 'test', path: '/name/0', value: 'x' }]],
    ['the asset as a whole, which would go', [{ op: 'remove', path: '' }]],
  ])('does not reach %s', (_name, patch) => {
    expect(() => apply(asset, patch)).toThrow();
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('sets a member named __proto__ like any other', () => {
    const patched = apply({ data: {} }, [{ op: 'add', path: '/data/__proto__', value: { a: 1 } }]);
    expect(JSON.stringify(patched)).toBe('{"data":{"__proto__":{"a":1}}}');
  });

  it('keeps the values of its operations, which may be applied again', () => {
    const patch = readOperations([
      { op: 'add', path: '/place', value: { city: 'Oslo' } },
      { op: 'add', path: '/place/zip', value: '1' },
    ]);
    const both = [applyJsonPatch({}, patch), applyJsonPatch({}, patch)];
    expect(both).toEqual([{ place: { city: 'Oslo', zip: '1' } }, { place: { city: 'Oslo', zip: '1' } }]);
  });

  it('does not double a value without end', () => {
    const doubling = Array.from({ length: 40 }, () => ({ op: 'copy', from: '/data', path: '/data/-' }));
    expect(() => apply({ data: ['x'.repeat(1000)] }, doubling)).toThrow(/more than 4194304 characters/);
  });

  it('does not nest values deeper than a body may', () => {
    const nesting = Array.from({ length: 70 }, () => [
      { op: 'move', from: '/data', path: '/outer/data' },
      { op: 'move', from: '/outer', path: '/data' },
      { op: 'add', path: '/outer', value: {} },
    ]).flat();
    expect(() => apply({ data: {}, outer: {} }, nesting)).toThrow(/nested/);
  });

  it('names every wrong operation', () => {
    const patch = [{ op: 'add', path: 'tags' }, 1, { op: 'grow', path: '/a~2' }, { op: 'move', path: '/a' }];
    expect(() => readOperations(patch)).toThrow(
      expect.objectContaining({
        details: {
          problems: ['[0].path', '[0].value', '[1]', '[2].op', '[2].path', '[3].from'].map((path) => ({
            path,
            message: expect.any(String),
          })),
        },
      }),
    );
    expect(() => readOperations(Array(1001).fill({ op: 'remove', path: '/a' }))).toThrow(/1000 operations/);
  });
});
