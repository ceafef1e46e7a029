/**
 * Uploaded files of Strapi: assets of the type `Media`, with their bytes if the source has them.
 */
import { basename } from 'node:path';
import type { KeptFiles } from '../output/kept-files.ts';
import type { Report } from '../output/report.ts';
import type { JsonObject, ObjectType } from '../reader.ts';
import type { StrapiSource } from './strapi-source.ts';

/** Makes the type of uploaded files. */
export const mediaType = (name: string, classPrefix: string): ObjectType => ({
  kind: 'object',
  name,
  class: `${classPrefix}.${name}`,
  fields: [
    { name: 'name', type: 'String' },
    { name: 'alternativeText', type: 'String' },
    { name: 'caption', type: 'String' },
    { name: 'file', type: 'File' },
    { name: 'url', type: 'Url' },
    { name: 'path', type: 'String', description: 'The path below the address of Strapi, for bytes to add' },
  ],
});

/** Converts the record of an upload; `findUpload` finds its bytes by the name of their file. */
export async function convertMedia(
  data: JsonObject,
  {
    findUpload,
    files,
    report,
    place,
  }: { findUpload: StrapiSource['findUpload']; files: KeptFiles; report: Report; place: string },
): Promise<JsonObject> {
  const { name, alternativeText, caption, hash, ext, url } = data;
  // They name the bytes.
  for (const member of ['hash', 'ext']) report.convert(member);
  const kept = await files.keep(findUpload(basename(`${hash}${ext ?? ''}`)));
  const texts = Object.entries({ name, alternativeText, caption }).filter(
    (one): one is [string, string] => typeof one[1] === 'string' && one[1] !== '',
  );
  const fields = Object.fromEntries(texts);
  if (kept) return { ...fields, file: { hash: kept.hash, name: String(name ?? kept.name) } };
  if (typeof url === 'string' && URL.canParse(url)) return { ...fields, url };
  report.lose({ kind: 'file whose bytes the export lacks', example: place });
  return { ...fields, ...(typeof url === 'string' && { path: url }) };
}
