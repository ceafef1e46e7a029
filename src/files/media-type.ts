/**
 * The media types that the bytes of files tell. What the sender of a file says of it never counts.
 */
import { fileTypeFromBuffer } from 'file-type';
import { unknownType } from '../text/media-types.ts';

const svgType = 'image/svg+xml';

/** What stands before the element of an SVG picture: a declaration, comments, and a document type, which may declare entities. */
const beforeSvg =
  /^\uFEFF?(\s|<\?[^>]*\?>|<!--((?!-->).)*-->|<!DOCTYPE\s+svg[^>[]*(\[[^\]]*\]\s*)?>)*<svg[\s>]/is;

/** How many bytes tell whether they are SVG. */
const svgBytes = 4096;

/** Finds the media type of a file from its first bytes: `application/octet-stream` where they do not tell it, as in most texts. */
export async function findMediaType(head: Uint8Array): Promise<string> {
  const found = await fileTypeFromBuffer(head);
  if (found && found.mime !== 'application/xml') return found.mime.split(';', 1)[0] ?? unknownType;
  if (beforeSvg.test(Buffer.from(head.subarray(0, svgBytes)).toString())) return svgType;
  return found?.mime ?? unknownType;
}
