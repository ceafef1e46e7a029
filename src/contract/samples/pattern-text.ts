/**
 * Makes up texts that match a regular expression, of the kinds that constraints are written in: literals, classes, groups,
 * alternatives and repetitions. What goes beyond (look-around, back-references, properties) is given up, and never guessed.
 */
import type { Draw } from './random-generator.ts';

/** A part of an expression: makes a text, of more repetitions the more `room` there is. */
type Part = (draw: Draw, room: number) => string;

/** Makes texts of one pattern; the empty result means that it is beyond this. */
export function compilePattern(pattern: string): Part | undefined {
  const source = [...pattern];
  let at = 0;
  const peek = () => source[at];
  const take = () => source[at++] ?? '';

  function alternatives(): Part {
    const options = [sequence()];
    while (peek() === '|') {
      take();
      options.push(sequence());
    }
    return (draw, room) => draw.one(options)?.(draw, room) ?? '';
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (peek() !== undefined && peek() !== '|' && peek() !== ')') parts.push(repeated(atom()));
    return (draw, room) => parts.map((part) => part(draw, room)).join('');
  }

  function atom(): Part {
    const character = take();
    if (character === '(') return group();
    if (character === '[') return oneOf(characterClass());
    if (character === '.') return oneOf([...letters, ...digits]);
    if (character === '^' || character === '$') return () => '';
    return oneOf(character === '\\' ? escaped() : [character]);
  }

  function group(): Part {
    if (peek() === '?') {
      take();
      const kind = take();
      if (kind === '<' && peek() !== '=' && peek() !== '!') while (take() !== '>') assertMore();
      else if (kind !== ':') throw new Beyond();
    }
    const inside = alternatives();
    if (take() !== ')') throw new Beyond();
    return inside;
  }

  function characterClass(): readonly string[] {
    const isNegated = peek() === '^';
    if (isNegated) take();
    const members: string[] = [];
    while (peek() !== ']') {
      assertMore();
      const first = classMember();
      if (peek() === '-' && source[at + 1] !== ']') {
        take();
        members.push(...range(first[0] ?? '', classMember()[0] ?? ''));
      } else members.push(...first);
    }
    take();
    return isNegated ? [...letters, ...digits].filter((letter) => !members.includes(letter)) : members;
  }

  function classMember(): readonly string[] {
    const character = take();
    return character === '\\' ? escaped() : [character];
  }

  function escaped(): readonly string[] {
    const character = take();
    if (character === 'd') return digits;
    if (character === 'w') return [...letters, ...digits, '_'];
    if (character === 's') return [' '];
    if (character === 'S' || character === 'D') return letters;
    if (character === 'x') return [String.fromCharCode(Number.parseInt(take() + take(), 16))];
    if (/[A-Za-z0-9]/.test(character)) throw new Beyond();
    return [character];
  }

  function repeated(part: Part): Part {
    const [least, most] = quantifier();
    if (most === 1 && least === 1) return part;
    if (peek() === '?') take();
    return (draw, room) => {
      const count = least + draw.whole(Math.min(most, least + room) - least + 1);
      return Array.from({ length: count }, () => part(draw, Math.floor(room / 2))).join('');
    };
  }

  function quantifier(): readonly [least: number, most: number] {
    const next = peek();
    if (next === '*' || next === '+' || next === '?') {
      take();
      return [next === '+' ? 1 : 0, next === '?' ? 1 : Number.MAX_SAFE_INTEGER];
    }
    const braces = /^\{(\d+)(,?)(\d*)\}/.exec(source.slice(at, at + 20).join(''));
    if (!braces) return [1, 1];
    const [whole, least = '', comma, most] = braces;
    at += whole.length;
    return [Number(least), most ? Number(most) : comma ? Number.MAX_SAFE_INTEGER : Number(least)];
  }

  function assertMore(): void {
    if (peek() === undefined) throw new Beyond();
  }

  try {
    const whole = alternatives();
    return at === source.length ? whole : undefined;
  } catch (error) {
    if (error instanceof Beyond) return undefined;
    throw error;
  }
}

/** Says that a pattern has what this cannot make up. */
class Beyond extends Error {}

const letters = range('a', 'z');
const digits = range('0', '9');

function range(from: string, to: string): string[] {
  const first = from.codePointAt(0) ?? 0;
  const last = to.codePointAt(0) ?? 0;
  if (last < first) throw new Beyond();
  // A class may span all of Unicode, of which its beginning is enough.
  const length = Math.min(last - first + 1, 1_000);
  return Array.from({ length }, (_, index) => String.fromCodePoint(first + index));
}

function oneOf(characters: readonly string[]): Part {
  if (characters.length === 0) throw new Beyond();
  return (draw) => draw.one(characters) ?? '';
}
