/**
 * Parts of a Markdown page, for tests that do what the page says.
 */

/** A block of code, and the language that it is marked with. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

/** The text below a heading of the second level, up to the next one. */
export function sectionOf(page: string, heading: string): string {
  const [, text] = new RegExp(String.raw`^## ${heading}\n(.*?)(?=^## |(?![^]))`, 'ms').exec(page) ?? [];
  if (text === undefined) throw new Error(`There is no section "${heading}"`);
  return text;
}

/** The blocks of code of a text, in order. */
export function codeBlocksOf(text: string): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)\n```$/gms)].map(([, language = '', code = '']) => ({
    language,
    text: code,
  }));
}
