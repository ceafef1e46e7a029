import { describe, expect, it } from 'vitest';
import type { Asset, Json } from '../../../src/model/content-type.ts';
import { bindSort, compareBySort, sortById } from '../../../src/query/sort.ts';
import { libraryCatalog } from '../../support/catalog.ts';

const catalog = libraryCatalog();
const book = ['library.Book'];
const party = ['library.Company', 'library.Person'];

/** Binds keys in the form `name`, or `-name` for descending, and returns them in the same form. */
function bind(keys: string, classes = book) {
  const sort = keys.split(' ').filter(Boolean);
  const bound = bindSort(
    catalog,
    classes,
    sort.map((key) => ({ field: key.replace('-', ''), descending: key.startsWith('-') })),
  );
  return bound.map(({ path, descending }) => (descending ? '-' : '') + path.text).join(' ');
}

function refusal(keys: string, classes = book): unknown {
  try {
    return bind(keys, classes);
  } catch (error) {
    return error;
  }
}

describe('bound sort keys', () => {
  it('end with _id, in the direction of the last key', () => {
    expect(bind('title')).toBe('title _id');
    expect(bind('title -pages')).toBe('title -pages -_id');
    expect(bind('')).toBe('_id');
    expect(bindSort(catalog, book, [])).toEqual(sortById);
  });

  it('end at a given _id key, because no two assets share it', () => {
    expect(bind('-_id')).toBe('-_id');
    expect(bind('title -_id pages')).toBe('title -_id');
  });

  it('accept every kind of single value', () => {
    const single = 'title text isbn link pages weight printed inPrint';
    expect(bind(single)).toBe(`${single} _id`);
    expect(bind('genre writer _type')).toBe('genre writer _type _id');
    expect(bind('cover.colour -cover.size.width shelf.mark.full cms.content.publishDate')).toBe(
      'cover.colour -cover.size.width shelf.mark.full cms.content.publishDate _id',
    );
    expect(bind('cover.artist constructor')).toBe('cover.artist constructor _id');
  });

  it('must exist in every sorted type', () => {
    expect(bind('-name', party)).toBe('-name -_id');
    expect(refusal('size', party)).toMatchObject({ code: 'invalid_parameter' });
    expect(refusal('name', [])).toMatchObject({ code: 'invalid_parameter' });
  });

  it.each([
    ['colour', 'library.Book has no field "colour"'],
    ['Title', 'library.Book has no field "Title". Did you mean "title"?'],
    ['__proto__', 'library.Book has no field "__proto__"'],
    ['', 'library.Book has no field ""'],
    ['subtitles', 'it is a list'],
    ['contributors', 'it is a list'],
    ['notes.page', 'it goes through a list'],
    ['extra', 'it is JSON'],
    ['cover', 'it is an embedded value as a whole'],
    ['cover.size', 'it is an embedded value as a whole'],
    ['writer/name', 'it goes through a reference'],
    ['x.'.repeat(40), 'it has too many names'],
  ])('refuse %j: %s', (field, reason) => {
    const sort = () => bindSort(catalog, book, [{ field, descending: false }]);
    const details = { parameter: 'sort', reason: `cannot be by ${JSON.stringify(field)}: ${reason}` };
    expect(sort).toThrow(expect.objectContaining({ code: 'invalid_parameter', details }));
  });

  it('cannot repeat a field, in either direction', () => {
    const details = { parameter: 'sort', reason: 'cannot be by "title": it is given twice' };
    expect(refusal('title -title')).toMatchObject({ details });
    expect(refusal('title -_id title')).toMatchObject({ details });
  });

  it('are limited to 8', () => {
    const eight = 'title text isbn link pages weight printed inPrint';
    expect(refusal(`${eight} genre`)).toMatchObject({
      code: 'invalid_parameter',
      details: { parameter: 'sort', reason: 'has 9 keys; at most 8 are allowed' },
    });
  });
});

describe('the order', () => {
  const asset = (n: number, fields: Record<string, Json>): Asset => ({
    _id: `0191f3a0-5b7e-7c11-9d2e-00000000000${n}`,
    _type: 'library.Book',
    ...fields,
  });

  /** The positions, from 1, of assets with these fields in the order. */
  const placesOf = (field: string, descending: boolean, ...values: (Json | undefined)[]) => {
    const sort = bindSort(catalog, book, [{ field, descending }]);
    const assets = values.map((value, index) =>
      asset(index + 1, value === undefined ? {} : { [field]: value }),
    );
    return assets.toSorted(compareBySort(sort)).map(({ _id }) => Number(_id.at(-1)));
  };

  it('sorts numbers by size, texts by code point, and false before true', () => {
    expect(placesOf('pages', false, 10, 9, -1)).toEqual([3, 2, 1]);
    expect(placesOf('title', false, 'b', '😀', '\uffff', 'B', '')).toEqual([5, 4, 1, 3, 2]);
    expect(placesOf('inPrint', false, true, false)).toEqual([2, 1]);
  });

  it('puts absent values first, or last when descending: missing, null or of another type', () => {
    expect(placesOf('pages', false, 0, undefined, -5, null, 'x')).toEqual([2, 4, 5, 3, 1]);
    expect(placesOf('pages', true, 0, undefined, -5, null, 'x')).toEqual([1, 3, 5, 4, 2]);
  });

  it('sorts references by their target ID', () => {
    const to = (_ref: string) => ({ _ref, _type: 'library.Person' });
    expect(placesOf('writer', false, to('b'), to('a'))).toEqual([2, 1]);
  });

  it('sorts by a member of embedded values, which may be absent at any level', () => {
    const sort = bindSort(catalog, book, [{ field: 'cover.size.width', descending: false }]);
    const covers: Json[] = [{ size: { width: 2 } }, { size: { width: 1 } }, { size: null }, {}];
    const assets = [...covers.map((cover, index) => asset(index + 1, { cover })), asset(5, {})];
    const sorted = assets.toSorted(compareBySort(sort));
    expect(sorted.map(({ _id }) => Number(_id.at(-1)))).toEqual([3, 4, 5, 2, 1]);
  });

  it('breaks ties by the next key, and finally by _id', () => {
    const sort = bindSort(catalog, book, [
      { field: 'pages', descending: false },
      { field: 'title', descending: true },
    ]);
    const titles = ['a', 'b', 'a', 'b'];
    const assets = titles.map((title, index) => asset(index + 1, { title, pages: 1 }));
    const sorted = [...assets, asset(5, { title: 'c', pages: 0 })].toSorted(compareBySort(sort));
    expect(sorted.map(({ _id }) => Number(_id.at(-1)))).toEqual([5, 4, 2, 3, 1]);
  });
});
