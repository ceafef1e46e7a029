import { describe, expect, it } from 'vitest';
import { createBareObject, memberOf, toBare, toBareObject } from '../../../src/base/own-members.ts';

const inheritedNames = Object.getOwnPropertyNames(Object.prototype);

describe('an object with members by user names', () => {
  it.each(inheritedNames)('has %s only when it was given', (name) => {
    const { [name]: none } = createBareObject();
    expect([none, memberOf({}, name)]).toEqual([undefined, undefined]);
    const given = toBareObject([[name, 1]]);
    expect([Object.keys(given), memberOf(given, name), JSON.stringify(given)]).toEqual([
      [name],
      1,
      `{${JSON.stringify(name)}:1}`,
    ]);
  });

  it('is copied from JSON on all levels', () => {
    const text = '{"__proto__":{"a":[{"constructor":null,"__proto__":1}]},"toString":2}';
    const copied = toBare(JSON.parse(text));
    expect(JSON.stringify(copied)).toBe(text);
    const [inner] = Object.values(Object(copied));
    for (const object of [copied, inner, Object(inner).a[0]]) expect(object.valueOf).toBeUndefined();
  });

  it('can be named in a message', () => {
    expect(`${createBareObject()}`).toBe('[object Object]');
  });
});
