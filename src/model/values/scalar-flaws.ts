/**
 * Finds what keeps texts, URLs and JSON values from being stored, worded to follow the path of the value.
 *
 * Texts are Unicode without U+0000 and without lone surrogates, which some store, XML or UTF-8 cannot hold.
 */
import type { Json } from '../content-type.ts';

/** Finds what no text may contain. */
export function findTextFlaw(text: string): string | undefined {
  if (text.includes('\0')) return 'must not contain U+0000';
  return text.isWellFormed() ? undefined : 'must not contain a lone surrogate';
}

/** Finds what makes a text no URL. */
export function findUrlFlaw(text: string): string | undefined {
  return URL.canParse(text) && text.trim() === text ? undefined : 'must be an absolute URL';
}

/** Finds what a store would not give back as it was, anywhere in a JSON value. */
export function findJsonFlaw(root: Json): string | undefined {
  const pending: Json[] = [root];
  for (let value = pending.pop(); value !== undefined; value = pending.pop()) {
    if (typeof value === 'string') {
      const flaw = findTextFlaw(value);
      if (flaw) return flaw;
    } else if (typeof value === 'number') {
      if (!Number.isFinite(value)) return 'must hold finite numbers only';
    } else if (Array.isArray(value)) {
      for (const item of value) pending.push(item);
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, member] of Object.entries(value)) pending.push(name, member);
    }
  }
  return undefined;
}
