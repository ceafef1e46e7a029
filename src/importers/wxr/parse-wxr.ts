/**
 * Parses an export of WordPress (WXR), element by element: its site, authors, terms and items.
 *
 * Exports differ in the addresses of their namespaces, which are therefore not looked at; the prefixes are always the same.
 */
import { SaxesParser } from 'saxes';
import type { Json, JsonObject } from '../reader.ts';
import { maxCharacters, openText, SourceError, type SourceFile } from '../source/source.ts';

/** An element below the channel, with the texts of its children. */
export interface WxrElement {
  /** Such as `item`, `wp:author`, `wp:category`, `wp:tag`, `wp:term` or `wp:base_blog_url`. */
  readonly name: string;
  /** The text of an element without children. */
  readonly text: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly WxrElement[];
}

/** Reads the elements of the channel in order. Errors: SourceError with the line. */
export async function* readWxrElements(path: SourceFile): AsyncGenerator<WxrElement> {
  const finished: WxrElement[] = [];
  const open: { name: string; text: string; attributes: Record<string, string>; children: WxrElement[] }[] =
    [];
  let isExport = false;
  /** How many characters were read since the last element ended. */
  let length = 0;
  const parser = new SaxesParser();
  parser.on('error', (error) => {
    throw new SourceError(`is not valid XML: ${error.message}`);
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (open.length === 0 && name !== 'rss')
      throw new SourceError(`is no export of WordPress: it begins with <${name}>`);
    open.push({ name, text: '', attributes: attributes as Record<string, string>, children: [] });
  });
  const addText = (text: string) => {
    const last = open.at(-1);
    if (last) last.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const closed = open.pop();
    const parent = open.at(-1);
    if (!closed || !parent) return;
    if (closed.name === 'wp:wxr_version') isExport = true;
    // rss and channel stand around.
    if (open.length === 2) finished.push(closed);
    else if (open.length > 2) parent.children.push(closed);
  });
  for await (const chunk of openText(path)) {
    parser.write(String(chunk));
    length = finished.length > 0 ? 0 : length + String(chunk).length;
    if (length > maxCharacters)
      throw new SourceError(`has an element of more than ${maxCharacters} characters`);
    yield* finished.splice(0);
  }
  parser.close();
  yield* finished.splice(0);
  if (!isExport) throw new SourceError('is no export of WordPress: it has no wp:wxr_version');
}

/** Returns the text of the first child with a name; empty without one. */
export const textOf = ({ children }: WxrElement, name: string): string =>
  children.find((child) => child.name === name)?.text ?? '';

/** Lists the children with a name. */
export const childrenOf = ({ children }: WxrElement, name: string): readonly WxrElement[] =>
  children.filter((child) => child.name === name);

/** Writes an element as JSON, for the accounts of its values: children by their names, attributes beside them. */
export function toJson({ text, attributes, children }: WxrElement): Json {
  const named = Object.entries(attributes).map(([name, value]) => [`@${name}`, value] as const);
  if (children.length === 0 && named.length === 0) return text;
  const all: JsonObject = Object.fromEntries(named);
  if (text.trim() !== '') all.text = text;
  for (const child of children) {
    const known = all[child.name];
    const value = toJson(child);
    all[child.name] = known === undefined ? value : Array.isArray(known) ? [...known, value] : [known, value];
  }
  return all;
}
