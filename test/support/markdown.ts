/**
 * Reads sections and code blocks of a Markdown page, for tests that follow its instructions.
 */

/** A block of code. */
export interface CodeBlock {
  /** The language after the opening fence, or ''. */
  readonly language: string;
  readonly text: string;
  /** The nearest heading above. */
  readonly heading: string;
  /** The paragraph directly above, or ''. */
  readonly introduction: string;
  /** Whether only blank lines separate it from the block before. */
  readonly followsBlock: boolean;
}

/** Returns the text below a heading of the second level, up to the next one. */
export function sectionOf(page: string, heading: string): string {
  const [, text] = new RegExp(String.raw`^## ${heading}\n(.*?)(?=^## |(?![^]))`, 'ms').exec(page) ?? [];
  if (text === undefined) throw new Error(`There is no section "${heading}"`);
  return text;
}

/** Returns the blocks of code of a text, in order. */
export function codeBlocksOf(text: string): CodeBlock[] {
  let end = 0;
  return [...text.matchAll(/^```(\w*)\n(.*?)\n```$/gms)].map((match) => {
    const [whole, language = '', code = ''] = match;
    const before = text.slice(0, match.index);
    const followsBlock = end > 0 && text.slice(end, match.index).trim() === '';
    end = match.index + whole.length;
    return {
      language,
      text: code,
      heading: [...before.matchAll(/^#+ (.*)$/gm)].at(-1)?.[1] ?? '',
      introduction: followsBlock ? '' : (before.trimEnd().split('\n\n').at(-1) ?? ''),
      followsBlock,
    };
  });
}
