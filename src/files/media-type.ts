/**
 * The media types of files: which one a file has, and which ones a browser may show.
 *
 * A type that a browser shows or plays, such as `image/png`, is only ever found from the bytes. What the sender says counts for other
 * types alone, and never for those that a browser runs, such as HTML.
 */
import { fileTypeFromBuffer } from 'file-type';
import { endingOf } from './file-name.ts';

/** The type of bytes of which nothing is known. */
const unknownType = 'application/octet-stream';

/** Types that programs declare for bytes of any kind. */
const anyTypes: readonly string[] = [unknownType, 'application/x-www-form-urlencoded'];

const svgType = 'image/svg+xml';

/** Types that a browser runs or parses as markup, or that include other documents. */
const runTypes = [
  /^(text|application)\/(html|xhtml\+xml|css|wasm|(x-|x-java)?(javascript|ecmascript|jscript|livescript).*)$/,
  /^text\/(xml|xsl|cache-manifest|vbscript)$|^application\/(xml.*|x-shockwave-flash)$/,
  /\+xml$/,
  /^(multipart|message)\//,
];

/** The types of texts, which their bytes do not tell, by the ending of the name. */
const typesByEnding: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  geojson: 'application/geo+json',
  ics: 'text/calendar',
  json: 'application/json',
  md: 'text/markdown',
  srt: 'application/x-subrip',
  svg: svgType,
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Whether a browser may show files of a type by itself: raster images, audio, video and PDF, none of which can run a script of the page. */
export const isShown = (mediaType: string) =>
  /^(image|audio|video)\/[^+]+$/.test(mediaType) || mediaType === 'application/pdf';

/**
 * Finds the media type of a file from its first bytes, and where they do not tell it from what the sender declares, or else from the ending
 * of its name.
 */
export async function findMediaType(
  head: Uint8Array,
  { name, declared = '' }: { readonly name: string; readonly declared?: string | undefined },
): Promise<string> {
  const found = await fileTypeFromBuffer(head);
  const isXml = found?.mime === 'application/xml';
  if (found && !isXml) return found.mime.split(';', 1)[0] ?? unknownType;
  const candidates = [declared.split(';', 1)[0]?.trim().toLowerCase(), typesByEnding[endingOf(name)]];
  const accepted = candidates.find((type) => (type === svgType ? isSvg(head) : !isXml && isTrusted(type)));
  return accepted ?? (isXml ? 'application/xml' : unknownType);
}

/** Whether a sender's word suffices for a type. */
function isTrusted(type: string | undefined): type is string {
  if (type === undefined || anyTypes.includes(type) || !/^[a-z0-9][\w.+-]*\/[a-z0-9][\w.+-]*$/.test(type))
    return false;
  return type.length <= 100 && !isShown(type) && !runTypes.some((pattern) => pattern.test(type));
}

/** Whether bytes may be those of an SVG picture: they begin with markup, and have its element. */
function isSvg(head: Uint8Array): boolean {
  const text = Buffer.from(head.subarray(0, 4096)).toString();
  return /^\uFEFF?\s*</.test(text) && /<svg[\s>]/i.test(text);
}
