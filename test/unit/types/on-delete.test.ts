/** `@onDelete`: what is wrong with it, which references have it, and what a change of it means. */
import { describe, expect, it } from 'vitest';
import { listDeletionRules } from '../../../src/model/deletion-rules.ts';
import { compareCatalogs } from '../../../src/types/compare-catalogs.ts';
import { findTypeChanges } from '../../../src/types/find-type-changes.ts';
import { catalogOf, typeProblems } from '../../support/types.ts';

const restrict = '@onDelete(action: RESTRICT)';
const sdl = (fields: string, more = '') => `
type Writer @contentType(class: "t.Writer") { name: String }
type Book @contentType(class: "t.Book") { title: String
  ${fields}
}
${more}`;

describe('the problems of @onDelete', () => {
  it.each([
    [
      `writer: Writer ${restrict}`,
      'Book.writer: @onDelete needs an index of the field: write @indexed @onDelete(action: RESTRICT)',
    ],
    [
      `code: String @indexed ${restrict}`,
      'Book.code: @onDelete is for references to content types and lists of them: leave it out here',
    ],
    [
      'writer: Writer @indexed @onDelete(action: CASCADE)',
      'Argument "@onDelete(action:)" has invalid value: Value "CASCADE" does not exist in "OnDeleteAction" enum',
    ],
  ])('%s', (field, problem) => {
    expect(typeProblems(sdl(field))).toEqual([expect.stringMatching(/^types\.graphql:4 /)]);
    expect(typeProblems(sdl(field))[0]).toContain(problem);
  });

  it.each(['writer: Writer @indexed @onDelete', 'writer: Writer @indexed @onDelete(action: "RESTRICT")'])(
    'are told with a line for %s',
    (field) =>
      expect(typeProblems(sdl(field))).toEqual([expect.stringMatching(/^types\.graphql:4 .*action/)]),
  );
});

describe('the rules of types', () => {
  it('are those of references, of lists, and of both inside embedded values and blocks, with what they can name', () => {
    const fields = `
      writer: Writer @indexed ${restrict}
      readers: [Named!] @indexed ${restrict}
      free: Writer @indexed
      place: Place
      blocks: [Block!]`;
    const more = `
      interface Named @contentType(class: "t.Named") { name: String }
      type Group implements Named @contentType(class: "t.Group") { name: String }
      type Reader implements Named @contentType(class: "t.Reader") { name: String }
      type Place { guide: Writer @indexed ${restrict} }
      type Quote { by: Writer @indexed ${restrict} }
      type Note { text: String }
      union Block = Quote | Note`;
    const rules = listDeletionRules(catalogOf(sdl(fields, more)).types.values());
    expect(rules.map(({ type, path, targets }) => [type, path.text, targets])).toEqual([
      ['t.Book', 'writer', ['t.Writer']],
      ['t.Book', 'readers', ['t.Group', 't.Reader']],
      ['t.Book', 'place.guide', ['t.Writer']],
      ['t.Book', 'blocks.by', ['t.Writer']],
    ]);
  });

  it('come from an interface, too', () => {
    const more = `
      interface Written @contentType(class: "t.Written") { by: Writer @indexed ${restrict} }
      type Page implements Written @contentType(class: "t.Page") { by: Writer @indexed }`;
    const rules = listDeletionRules(catalogOf(sdl('', more)).types.values());
    expect(rules.map(({ type }) => type)).toEqual(['t.Page']);
  });

  it('are a change to look at, in both directions', () => {
    const [plain, ruled] = ['writer: Writer @indexed', `writer: Writer @indexed ${restrict}`].map((field) =>
      catalogOf(sdl(field)),
    );
    if (!plain || !ruled) throw new Error('there are two');
    expect(findTypeChanges(plain, ruled)).toEqual([
      {
        severity: 'attention',
        type: 't.Book',
        path: 'writer',
        message: 'keeps what it refers to from being deleted: clients must expect 409 `referenced`',
      },
    ]);
    expect(findTypeChanges(ruled, plain)).toMatchObject([{ severity: 'attention', path: 'writer' }]);
    expect(compareCatalogs(plain, ruled)).toEqual([
      '~ t.Book writer: Writer(t.Writer) indexed -> Writer(t.Writer) indexed onDelete RESTRICT',
    ]);
  });
});
