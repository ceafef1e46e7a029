/**
 * Reads an export of Contentful, as `contentful space export` writes it: content types, entries and assets.
 */
import { idOf } from '../ids.ts';
import { readJsonParts } from '../json/split-json.ts';
import type { ReadAsset, Reader } from '../reader.ts';
import { fileOf } from '../source/source.ts';
import { type ContentfulItem, indexContentful } from './contentful-index.ts';
import { mapContentfulTypes } from './contentful-types.ts';
import { convertAsset, convertEntry, keepPictures } from './convert-entry.ts';

/** Lists of the export that are settings of the space, and no content. */
const settings = ['editorInterfaces', 'webhooks', 'roles', 'tags', 'concepts'];

/** Reads a file. */
export const readContentful: Reader = async (source, { classPrefix }) => {
  const index = await indexContentful(source);
  const types = mapContentfulTypes(index, classPrefix);
  return {
    types: types.written,
    async *assets(report, files): AsyncGenerator<ReadAsset> {
      types.noteLosses(report);
      for await (const { member, value } of readJsonParts(fileOf(source))) {
        // The index has read the same members.
        const item = value as unknown as ContentfulItem;
        const id = String(item?.sys?.id ?? '');
        if (member === 'entries' || member === 'assets')
          report.open({
            kind: member === 'assets' ? 'asset' : (item.sys.contentType?.sys.id ?? ''),
            id,
            value,
            structure: ['nodeType', 'linkType', 'sys.type', 'marks.type', 'contentType.sys.id'],
            bookkeeping,
            toIds: (text) => ['entry', 'asset'].map((kind) => idOf('contentful', kind, text)),
          });
        if (member === 'entries') {
          const pictures = await keepPictures(item, { index, files, source });
          yield* convertEntry(item, { index, types, report, pictures });
        } else if (member === 'assets')
          yield await convertAsset(item, { index, types, report, files, source });
        else if (settings.includes(member)) report.lose({ kind: `${member} of the space`, example: id });
      }
    },
  };
};

/** What Contentful keeps of each item. */
const bookkeeping = [
  ...['createdAt', 'createdBy', 'updatedAt', 'updatedBy', 'publishedAt', 'publishedBy', 'firstPublishedAt'],
  ...['publishedCounter', 'publishedVersion', 'version', 'urn', 'space', 'environment', 'fieldStatus'],
].map((name) => `sys.${name}`);
