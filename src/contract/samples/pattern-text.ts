/**
 * Generates texts that match a regular expression with literals, classes, groups, alternatives and repetitions. It gives up on
 * look-around, back-references and Unicode properties.
 */
import type { RandomGenerator } from './random-generator.ts';

/** A part of an expression: generates a text, with more repetitions the more `room` there is. */
type Part = (random: RandomGenerator, room: number) => string;

/** Compiles a pattern into a generator of texts; `undefined` when it is not supported. */
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
    return (random, room) => random.one(options)?.(random, room) ?? '';
  }

  function sequence(): Part {
    const parts: Part[] = [];
    while (peek() !== undefined && peek() !== '|' && peek() !== ')') parts.push(repeated(atom()));
    return (random, room) => parts.map((part) => part(random, room)).join('');
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
      else if (kind !== ':') throw new UnsupportedPattern();
    }
    const inside = alternatives();
    if (take() !== ')') throw new UnsupportedPattern();
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
    if (/[A-Za-z0-9]/.test(character)) throw new UnsupportedPattern();
    return [character];
  }

  function repeated(part: Part): Part {
    const [least, most] = quantifier();
    if (most === 1 && least === 1) return part;
    if (peek() === '?') take();
    return (random, room) => {
      const count = least + random.whole(Math.min(most, least + room) - least + 1);
      return Array.from({ length: count }, () => part(random, Math.floor(room / 2))).join('');
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
    if (peek() === undefined) throw new UnsupportedPattern();
  }

  try {
    const whole = alternatives();
    return at === source.length ? whole : undefined;
  } catch (error) {
    if (error instanceof UnsupportedPattern) return undefined;
    throw error;
  }
}

/** Says that a pattern is not supported. */
class UnsupportedPattern extends Error {}

const letters = range('a', 'z');
const digits = range('0', '9');

function range(from: string, to: string): string[] {
  const first = from.codePointAt(0) ?? 0;
  const last = to.codePointAt(0) ?? 0;
  if (last < first) throw new UnsupportedPattern();
  // The beginning of a class is enough, since it may span all of Unicode.
  const length = Math.min(last - first + 1, 1_000);
  return Array.from({ length }, (_, index) => String.fromCodePoint(first + index));
}

function oneOf(characters: readonly string[]): Part {
  if (characters.length === 0) throw new UnsupportedPattern();
  return (random) => random.one(characters) ?? '';
}
