/**
 * The difference between two rich texts as one HTML text: the later one, in which added words and pictures are marked by `<ins>`, and
 * removed ones stand by `<del>` where they were. It is made for a frame in which no script runs.
 */
import { diffArrays } from 'diff';

/** Tags and comments whole, character references, words, blanks. */
const tokens = /<!--[\s\S]*?-->|<(?:"[^"]*"|'[^']*'|[^>"'])*>|&[\w#]+;|\s+|[^<\s&]+|[<&]/g;

/** How many tokens may differ before two texts count as entirely different, which keeps the comparison quick. */
const maxEdits = 1_500;

/** Compares two rich texts; `undefined` if they differ in the markup alone, or nearly everywhere. */
export function compareRichText(before: string, after: string): string | undefined {
  const changes = diffArrays(before.match(tokens) ?? [], after.match(tokens) ?? [], {
    maxEditLength: maxEdits,
  });
  if (!changes?.some(({ added, removed, value }) => (added || removed) && value.some(isContent)))
    return undefined;
  return changes
    .map(({ value, added, removed }) => {
      if (removed) return markRemoved(value);
      return added ? markAdded(value) : value.join('');
    })
    .join('');
}

/** Keeps the tags, which give the text its structure. */
function markAdded(value: readonly string[]): string {
  return splitAtTags(value)
    .map((run) => (run.some(isContent) ? `<ins>${run.join('')}</ins>` : run.join('')))
    .join('');
}

/** Leaves out the tags but those of pictures; the end of a removed paragraph becomes a line break. */
function markRemoved(value: readonly string[]): string {
  if (!value.some(isContent)) return '';
  const shown = value.map((token) => {
    if (!isMarkup(token)) return token;
    return /^<\/(?:p|h\d|li|tr|blockquote|pre)\b|^<br\b/i.test(token) ? '<br>' : ' ';
  });
  return `<del>${shown.join('').replace(/(?:<br>|\s)+$/, ' ')}</del>`;
}

/** Splits before and after each tag; pictures are content. */
function splitAtTags(value: readonly string[]): string[][] {
  const runs: string[][] = [];
  for (const token of value) {
    const last = runs.at(-1);
    if (!last || isMarkup(token) || last.some(isMarkup)) runs.push([token]);
    else last.push(token);
  }
  return runs;
}

const isMarkup = (token: string) => isTag(token) && !isContent(token);

const isTag = (token: string) => token.length > 1 && token.startsWith('<');

/** Whether readers see a token: a word or a picture. */
const isContent = (token: string) =>
  isTag(token) ? /^<(?:img|iframe|hr)\b/i.test(token) : token.trim() !== '';
