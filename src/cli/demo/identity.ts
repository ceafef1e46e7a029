/**
 * The identity of the demo's assets: IDs and dates that are the same in every store, so that the demo gives the same answers everywhere.
 */
import { v5 } from 'uuid';

/** Returns the last part of the address of what has this name. */
export const toSlug = (text: string) => text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');

/** Returns the ID of the asset of a kind with this name. */
export const idOf = (kind: string, name: string) =>
  v5(`https://colophon.example/demo/${kind}/${toSlug(name)}`, v5.URL);

/** Returns a reference to it. */
export const refer = (kind: 'Article' | 'Author' | 'Image' | 'Section', name: string) => ({
  _ref: idOf(kind, name),
  _type: `com.example.news.${kind}`,
});

/** Returns the members with which a new asset begins; `createdAtMs` is when it was published. */
export const identify = (kind: string, name: string, createdAtMs: number) => ({
  _id: idOf(kind, name),
  _type: `com.example.news.${kind}`,
  'cms.content.publishDate': createdAtMs,
  'cms.content.updateDate': createdAtMs,
});

/** When the people, sections and pictures of the demo were added. */
export const foundedMs = Date.UTC(2025, 0, 1);
