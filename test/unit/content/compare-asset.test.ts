/** Which fields of a change differ from the stored asset. */
import { describe, expect, it } from 'vitest';
import { createDifferenceFinder } from '../../../src/content/compare-asset.ts';
import type { JsonObject } from '../../../src/model/content-type.ts';
import { catalogOf } from '../../support/types.ts';

const find = createDifferenceFinder(
  catalogOf(`type Clip { film: File!, title: String }
  type Book @contentType(class: "x.Book") { cover: File, scans: [File!], clips: [Clip!], size: Int, data: JSON }`),
);
const [hash, other] = ['a'.repeat(64), 'b'.repeat(64)];
const file = { hash, name: 'a.png', mediaType: 'image/png', bytes: 3, alt: 'A harbour' };
const asset = { _id: 'i', _type: 'x.Book', cover: file, scans: [file], clips: [{ film: file }], size: 1 };
const differences = (set: JsonObject) => Object.keys(find({ set, unset: [] }, asset).set);

describe('the difference of files', () => {
  it('leaves out a file with the hash of the stored one, at any depth, whatever it does not give', () => {
    expect(
      differences({ cover: { hash }, scans: [{ hash, name: 'a.png' }], clips: [{ film: { hash } }] }),
    ).toEqual([]);
  });
  it('has a file with another hash, another member, or at another place', () => {
    expect(differences({ cover: { hash: other } })).toEqual(['cover']);
    expect(differences({ cover: { hash, alt: 'A port' }, scans: [{ hash }, { hash }] })).toEqual([
      'cover',
      'scans',
    ]);
    expect(differences({ clips: [{ film: { hash }, title: 'One' }] })).toEqual(['clips']);
  });
});

it('ignores the order of members, null and absent ones, and compares everything else', () => {
  expect(differences({ size: 1, clips: [{ film: { bytes: 3, hash } }] })).toEqual([]);
  expect(differences({ size: 2, data: { hash }, cover: {} })).toEqual(['size', 'data']);
  expect(find({ set: {}, unset: ['size', 'data'] }, asset).unset).toEqual(['size']);
});
