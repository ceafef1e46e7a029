/**
 * Finds the position in the document of one character of a string literal, through escapes and the indentation of block strings.
 */
import { getLocation, type SourceLocation, type StringValueNode } from 'graphql';

/** Finds the position of a character of a string's value. `column` counts its characters from 1; one more means the end. */
export function positionInString(node: StringValueNode, column: number): SourceLocation {
  const { loc, value } = node;
  if (!loc) return { line: 1, column: 1 };
  const raw = loc.source.body.slice(loc.start, loc.end);
  const offsets = node.block ? blockOffsets(raw) : quotedOffsets(raw);
  let unit = 0;
  for (let left = column - 1; left > 0 && unit < value.length; left--) {
    unit += (value.codePointAt(unit) ?? 0) > 0xffff ? 2 : 1;
  }
  return getLocation(loc.source, loc.start + (offsets[unit] ?? 0));
}

const character = /\\(?:u\{[0-9a-fA-F]+\}|u[0-9a-fA-F]{4}|.)|./gs;

/** Lists the offset in the literal of each code unit of the value, and of its end. */
function quotedOffsets(raw: string): number[] {
  const end = raw.length - 1;
  const offsets: number[] = [];
  for (const { 0: written, index } of raw.slice(1, end).matchAll(character)) {
    offsets.push(index + 1);
    if (isPair(written)) offsets.push(index + 1);
  }
  return [...offsets, end];
}

/** Tests whether an escape such as `\u{1F600}` gives two code units. */
function isPair(written: string): boolean {
  return written.startsWith('\\u{') && Number.parseInt(written.slice(3, -1), 16) > 0xffff;
}

interface Line {
  readonly text: string;
  /** The offsets in the literal of each code unit of the text, and of the end of the line. */
  readonly offsets: readonly number[];
}

/** The same for a block string: GraphQL removes the common indentation, and blank lines at both ends. */
function blockOffsets(raw: string): number[] {
  const lines = readLines(raw);
  const isFilled = ({ text }: Line) => indentOf(text) < text.length;
  const indents = lines
    .slice(1)
    .filter(isFilled)
    .map(({ text }) => indentOf(text));
  const common = Math.min(...indents, raw.length);
  const kept = lines.slice(lines.findIndex(isFilled), lines.findLastIndex(isFilled) + 1);
  return kept.flatMap((line) => (line === lines[0] ? line.offsets : dropFirst(line, common)));
}

function readLines(raw: string): Line[] {
  const lines: Line[] = [];
  let [text, offsets]: [string, number[]] = ['', []];
  const content = raw.slice(0, -3);
  for (const { 0: written, index } of content.matchAll(/\\"""|\r\n|./gs)) {
    if (index < 3) continue;
    if (/^[\r\n]/.test(written)) {
      lines.push({ text, offsets: [...offsets, index] });
      [text, offsets] = ['', []];
    } else {
      const units = written.replace('\\"""', '"""');
      for (let unit = 0; unit < units.length; unit++)
        offsets.push(index + (units === written ? 0 : unit + 1));
      text += units;
    }
  }
  return [...lines, { text, offsets: [...offsets, content.length] }];
}

/** Removes the first code units of a line; its end stays. */
function dropFirst({ offsets }: Line, count: number): readonly number[] {
  return offsets.slice(Math.min(count, offsets.length - 1));
}

const indentOf = (text: string) => /^[ \t]*/.exec(text)?.[0].length ?? 0;
