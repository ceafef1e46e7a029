/** Values of the type File: written by their hash, completed from the record of the file, and read with their addresses. */
import { beforeAll, describe, expect, it } from 'vitest';
import { fileClass, fileRecordId, fileUseClass } from '../../../src/content/files/file-record.ts';
import type { GraphqlApi } from '../../../src/graphql/operation.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { dataOf, errorsOf, type OpenedLibrary, openLibrary } from './open-api.ts';

const sdl = `
type Person @contentType(class: "lib.Person") { name: String! portrait: File @file(accept: ["image/*"], maxBytes: 5000) }
type Quote { text: String! speaker: File }
type Clip { film: File! }
union Block = Quote | Clip
type Book @contentType(class: "lib.Book") {
  title: String!
  cover: File
  scans: [File!]
  blocks: [Block!]
  text: RichText
  texts: [RichText!]
  writer: Person @indexed
}
type Shelf @contentType(class: "lib.Shelf") {
  name: String!
  books: [Book!]
}
`;

const hashOf = (digit: string) => digit.repeat(64);
const photo = {
  hash: hashOf('a'),
  name: 'a b.jpg',
  mediaType: 'image/jpeg',
  bytes: 4000,
  width: 60,
  height: 40,
};
const drawing = { hash: hashOf('b'), name: 'logo.svg', mediaType: 'image/svg+xml', bytes: 900 };
const large = { ...photo, hash: hashOf('c'), bytes: 6000 };
const note = { hash: hashOf('e'), name: 'a.txt', mediaType: 'text/plain', bytes: 10 };
const unused = { ...drawing, hash: hashOf('d') };

let library: OpenedLibrary;
let api: GraphqlApi;

beforeAll(async () => {
  library = await openLibrary({ sdl });
  api = library.api();
  for (const file of [photo, drawing, large, note, unused]) {
    const asset = { _id: fileRecordId(file.hash), _type: fileClass, key: file.hash, uploadedAt: 1, ...file };
    await library.store.insert({ asset, version: file.hash });
  }
});

const createBook = 'mutation ($input: CreateBookInput!) { createBook(input: $input) { _id } }';
const storedOf = async (id: string) => (await library.store.get(id))?.asset;

async function create(input: JsonObject): Promise<string> {
  const { createBook: book } = (await dataOf(api, createBook, { input })) as { createBook: { _id: string } };
  return book._id;
}

async function usesOf(asset: string): Promise<unknown[]> {
  const { items } = await library.store.find({
    types: [fileUseClass],
    offset: 0,
    limit: 100,
    withCount: false,
  });
  return items.filter((one) => one.asset.asset === asset).map((one) => one.asset.hash);
}

describe('a file in a write', () => {
  it('is completed from its record, with the name and the alternative text that are given', async () => {
    const id = await create({
      title: 'One',
      cover: { alt: 'A harbour', hash: photo.hash },
      scans: [{ hash: drawing.hash, name: 'other.svg' }],
      blocks: [
        { quote: { text: 'q', speaker: { hash: photo.hash } } },
        { clip: { film: { hash: drawing.hash } } },
      ],
    });
    const stored = await storedOf(id);
    expect(stored).toMatchObject({
      cover: { ...photo, alt: 'A harbour' },
      scans: [{ ...drawing, name: 'other.svg' }],
      blocks: [
        { _type: 'Quote', text: 'q', speaker: photo },
        { _type: 'Clip', film: drawing },
      ],
    });
    expect(Object.keys(stored?.cover as JsonObject)).toEqual([...Object.keys(photo), 'alt']);
  });

  it.each([
    ['an unknown file', { cover: { hash: hashOf('9') } }, 'cover.hash names no file that was uploaded'],
    ['a text that is no hash', { cover: { hash: 'x' } }, 'cover.hash must match'],
    ['another size', { scans: [{ hash: photo.hash, bytes: 1 }] }, 'scans[0].bytes must be 4000'],
    [
      'a width that the file lacks',
      { cover: { hash: drawing.hash, width: 9 } },
      'cover.width must be left out',
    ],
    [
      'another media type',
      { cover: { hash: photo.hash, mediaType: 'image/png' } },
      'cover.mediaType must be image/jpeg',
    ],
  ])('is refused with %s', async (_, input, message) => {
    const [error] = await errorsOf(api, createBook, { input: { title: 'Two', ...input } });
    expect(error).toHaveProperty('message', expect.stringContaining(message));
  });

  it.each([
    [note, 'portrait must be a file of image/*, not text/plain'],
    [large, 'portrait must have at most 5000 bytes, not 6000'],
  ])('is refused beyond the limits of its field: %#', async ({ hash }, message) => {
    const source = 'mutation ($input: CreatePersonInput!) { createPerson(input: $input) { _id } }';
    const [error] = await errorsOf(api, source, { input: { name: 'Ann', portrait: { hash } } });
    expect(error).toHaveProperty('message', expect.stringContaining(message));
  });

  it('is recorded as a use of the asset, as are links in texts; unchanged fields cost nothing', async () => {
    const link = `<img src="/files/${drawing.hash}/logo.svg"> /files/${hashOf('f')}/x`;
    const id = await create({ title: 'Three', cover: { hash: photo.hash }, text: link });
    expect((await usesOf(id)).toSorted()).toEqual([photo.hash, drawing.hash]);
    library.takeCalls();
    const update = 'mutation ($id: ID!) { updateBook(_id: $id, input: { title: "3" }) { title } }';
    await dataOf(api, update, { id });
    const calls = library.takeCalls().map(({ method }) => method);
    expect(calls).not.toContain('write');
    expect(calls.filter((method) => method === 'getMany')).toEqual([]);
  });

  it('keeps a file that was found unused', async () => {
    const id = fileRecordId(unused.hash);
    const patch = { id, type: fileClass, set: { unusedSince: 5 }, unset: [], version: 'marked' };
    await library.store.patch(patch);
    await create({ title: 'Four', scans: [{ hash: unused.hash }] });
    expect(await storedOf(id)).not.toHaveProperty('unusedSince');
  });
});

describe('a file in a response', () => {
  const fields = `cover { url small: url(width: 320, height: 640, format: WEBP) alt }
    scans { url(width: 320, fit: CONTAIN) } text texts`;
  const expected = {
    cover: {
      url: `https://cms.example.com/files/${photo.hash}/a%20b.jpg`,
      small: `https://cms.example.com/files/${photo.hash}/a%20b.jpg?w=320&h=640&fit=cover&f=webp`,
      alt: null,
    },
    scans: [
      { url: `https://cms.example.com/files/${drawing.hash}/logo.svg` },
      { url: `https://cms.example.com/files/${photo.hash}/a%20b.jpg?w=320` },
    ],
    text: `<img src="https://cms.example.com/files/${photo.hash}/a.jpg" srcset="/x 1x, https://cms.example.com/files/${photo.hash}/b 2x"> /files/x`,
    texts: [`<a href="https://cms.example.com/files/${photo.hash}/a.jpg">`],
  };
  let id: string;

  beforeAll(async () => {
    id = await create({
      title: 'Five',
      cover: { hash: photo.hash },
      scans: [{ hash: drawing.hash }, { hash: photo.hash }],
      text: `<img src="/files/${photo.hash}/a.jpg" srcset="/x 1x, /files/${photo.hash}/b 2x"> /files/x`,
      texts: [`<a href="/files/${photo.hash}/a.jpg">`],
    });
  });

  it('has its address, and rich text whole links, in compiled queries', async () => {
    expect(await dataOf(api, `query ($id: ID!) { book(_id: $id) { ${fields} } }`, { id })).toEqual({
      book: expected,
    });
  });

  it('has them in what GraphQL executes', async () => {
    const source = `mutation ($id: ID!) { updateBook(_id: $id, input: {}) { ${fields} } }`;
    expect(await dataOf(api, source, { id })).toEqual({ updateBook: expected });
  });

  it.each([
    'query ($id: ID!, $width: Int) { book(_id: $id) { title scans { url(width: $width) } } }',
    'mutation ($id: ID!, $width: Int) { book: updateBook(_id: $id, input: {}) { title scans { url(width: $width) } } }',
  ])('has only sizes of the installation: %s', async (source) => {
    const [error, ...others] = await errorsOf(api, source, { id, width: 321 });
    expect(error).toMatchObject({
      message: expect.stringContaining('"width" must be one of 320, 640'),
      path: 'book.scans.0.url',
    });
    expect(others).toHaveLength(0);
  });
});
