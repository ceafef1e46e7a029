/**
 * Follows the place of a problem while its asset is edited: an item of a list may move, and a value that changes may be mended.
 */
import { isWithin } from '../../../parts/data/field-label.ts';
import { type Draft, type DraftObject, isDraftList, isDraftObject, isSameDraft } from './draft.ts';

/**
 * Where the value at `path` of the draft `before` is in `now`; undefined once the value has changed or is gone. A path that leads
 * nowhere stays as it is until the value that it begins in changes.
 */
export function followPath(path: string, before: DraftObject, now: DraftObject): string | undefined {
  return follow(path, { before, now, reached: '' });
}

interface Step {
  readonly before: Draft;
  readonly now: Draft;
  /** The path of `now`. */
  readonly reached: string;
}

function follow(rest: string, { before, now, reached }: Step): string | undefined {
  if (before === now) return reached + rest;
  if (isDraftList(before) && isDraftList(now)) {
    const [text, number] = /^\[(\d+)\]/.exec(rest) ?? [];
    const item = number === undefined ? undefined : before[Number(number)];
    if (text !== undefined && item) {
      const index = now.findIndex(({ key }) => key === item.key);
      const next = { before: item.value, now: now[index]?.value, reached: `${reached}[${index}]` };
      return index === -1 ? undefined : follow(rest.slice(text.length), next);
    }
  }
  if (isDraftObject(before) && isDraftObject(now)) {
    const path = rest.startsWith('.') ? rest.slice(1) : rest;
    const name = Object.keys(before).find((key) => isWithin(path, key));
    const prefix = reached === '' ? '' : `${reached}.`;
    if (name !== undefined) {
      return follow(path.slice(name.length), {
        before: before[name],
        now: now[name],
        reached: prefix + name,
      });
    }
    // The place of a whole value, or one that the form does not show.
    if (reached === '') return rest;
  }
  return isSameDraft(before, now) ? reached + rest : undefined;
}
