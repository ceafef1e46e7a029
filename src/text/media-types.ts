/**
 * What the name of a file says about its media type, where its bytes say nothing, and which media types a browser shows.
 */

/** The type of bytes of which nothing is known. */
export const unknownType = 'application/octet-stream';

/** The types of texts, which their bytes do not tell, by the ending of the name. Browsers save all of them. */
const typesByEnding: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  geojson: 'application/geo+json',
  ics: 'text/calendar',
  json: 'application/json',
  md: 'text/markdown',
  srt: 'application/x-subrip',
  tsv: 'text/tab-separated-values',
  txt: 'text/plain',
  vcf: 'text/vcard',
  vtt: 'text/vtt',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

/** Returns the media type of a file under a name: the one that its bytes tell, or else that of the ending of the name. */
export function mediaTypeOf(detected: string, name: string): string {
  const ending = endingOf(name);
  if (detected !== unknownType || !Object.hasOwn(typesByEnding, ending)) return detected;
  return typesByEnding[ending] ?? detected;
}

/** Returns the ending of a name in lower case, without its dot; empty if it has none. */
export function endingOf(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? name.slice(dot + 1).toLowerCase() : '';
}

/** Whether a browser may show files of a type by itself: raster images, audio, video and PDF, none of which can run a script of the page. */
export const isShown = (mediaType: string) =>
  /^(image|audio|video)\/[^+]+$/.test(mediaType) || mediaType === 'application/pdf';
