/**
 * The headers that the user adds to a request, one in each line.
 */

/** The headers of a text, or what is wrong with it. */
export type TypedHeaders =
  | { readonly headers: Readonly<Record<string, string>>; readonly problem?: undefined }
  | { readonly headers?: undefined; readonly problem: string };

/** Headers for which the form has other fields. */
const credentials = ['x-api-key', 'x-client-id', 'x-client-secret'];
/** Headers that a browser sets by itself, whatever a page asks for. */
const ofBrowser =
  /^(accept-charset|accept-encoding|access-control-.*|connection|content-length|cookie2?|date|dnt|expect|host|keep-alive|origin|referer|te|trailer|transfer-encoding|upgrade|via|proxy-.*|sec-.*)$/;

/** Reads `Name: value` from each line that is not empty. */
export function readHeaders(text: string): TypedHeaders {
  const headers: Record<string, string> = {};
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const place = `Line ${index + 1}: `;
    const [, name = '', value = ''] = /^\s*([!#$%&'*+.^`|~\w-]+)\s*:\s*([\t -~]*?)\s*$/.exec(line) ?? [];
    const key = name.toLowerCase();
    if (key === '') return { problem: `${place}not a name, a colon and a value of ASCII characters` };
    if (credentials.includes(key)) return { problem: `${place}${name} has a field of its own` };
    if (ofBrowser.test(key)) return { problem: `${place}browsers do not let a page set ${name}` };
    if (Object.keys(headers).some((given) => given.toLowerCase() === key))
      return { problem: `${place}${name} is given twice` };
    headers[name] = value;
  }
  return { headers };
}
