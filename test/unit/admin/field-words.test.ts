import { describe, expect, it } from 'vitest';
import { describePattern, sayPattern } from '../../../src/admin/parts/data/describe-pattern.ts';
import { labelOf, labelOfPath } from '../../../src/admin/parts/data/field-label.ts';
import { toSlug } from '../../../src/admin/parts/data/slug.ts';

describe('the label of a field', () => {
  it.each([
    ['eventDate', undefined, 'Event date'],
    ['cms.content.updateDate', undefined, 'Update date'],
    ['seo_title', undefined, 'Seo title'],
    ['pageURL', undefined, 'Page URL'],
    ['HTMLBody', undefined, 'HTML body'],
    ['place', 'Where it happened', 'Where it happened'],
    ['place', 'Where it happened.', 'Place'],
    ['place', 'A description that is longer than any label', 'Place'],
  ])('%s with the description %s is %s', (name, description, label) => {
    expect(labelOf(description === undefined ? { name } : { name, description })).toBe(label);
  });

  it('names each part of a path', () => {
    const text = { kind: 'scalar', name: 'String' } as const;
    const base = { list: false, required: false, constraint: {} };
    const title = { ...base, name: 'pageTitle', graphqlName: 'pageTitle', type: text };
    const sources = {
      ...base,
      name: 'x.sources',
      graphqlName: 'x.sources',
      type: { kind: 'embedded', name: 'Source' } as const,
      list: true,
    };
    const type = {
      class: 'x.Page',
      id: 'x',
      name: 'Page',
      kind: 'object',
      interfaces: [],
      fields: [sources],
      embeddedTypes: [{ name: 'Source', fields: [title] }],
    } as const;
    const labelIn = (path: string) =>
      labelOfPath(
        {
          ...type,
          interfaces: [],
          fields: [...type.fields],
          embeddedTypes: [{ name: 'Source', fields: [title] }],
        },
        path,
      );
    expect(labelIn('x.sources[0].pageTitle')).toBe('X, Sources 1, Page title');
    expect(labelIn('x.sources')).toBe('X, Sources');
    expect(labelIn('_type')).toBe('_type');
  });
});

describe('a pattern in words', () => {
  it.each([
    ['^[a-z0-9]+(-[a-z0-9]+)*$', 'lower-case letters and digits, with - between'],
    ['^[A-Z]{2}$', '2 capital letters'],
    ['^\\d{3,5}$', '3 to 5 digits'],
    ['^[a-z]$', 'one of lower-case letters'],
    ['^[^@\\s]+@[^@\\s]+$', 'an email address, such as name@example.org'],
    ['^(a|b)+$', 'in the form ^(a|b)+$'],
    ['[a-z]+', 'in the form [a-z]+'],
    ['^[^a-z]+$', 'in the form ^[^a-z]+$'],
  ])('%s is %s', (pattern, words) => {
    expect(describePattern(pattern)).toBe(words);
    expect(sayPattern(`must match ${pattern}`)).toBe(`must be ${words}`);
  });

  it('leaves other messages as they are', () => {
    expect(sayPattern('is required')).toBe('is required');
  });
});

describe('a slug', () => {
  it.each([
    ['A day at sea', 'a-day-at-sea'],
    ["Große Änderung: it's “open”!", 'grosse-anderung-its-open'],
    ['  --  ', ''],
    ['日本', ''],
  ])('of %s is %s', (title, slug) => {
    expect(toSlug(title, {})).toBe(slug);
  });

  it('is as long as the field allows, and does not end with a hyphen', () => {
    expect(toSlug('one two three', { maxLength: 8 })).toBe('one-two');
  });
});
