/**
 * Finds what of a text the editor does not keep, in words.
 */

/** Lists what differs between the HTML of a text and what the editor would write; empty when it is the same. */
export function findLosses(html: string, written: string): readonly string[] {
  if (html === written) return [];
  const [before, after] = [countParts(html), countParts(written)];
  const missing = [...before].filter(([part, count]) => count > (after.get(part) ?? 0)).map(([part]) => part);
  return missing.length > 0 ? missing : [describePlace(html, written)];
}

/** How often each tag, attribute and comment occurs in a text, by its name in words. */
function countParts(html: string): Map<string, number> {
  const counts = new Map<string, number>();
  const count = (part: string) => counts.set(part, (counts.get(part) ?? 0) + 1);
  const template = document.createElement('template');
  template.innerHTML = html;
  const nodes = document.createTreeWalker(
    template.content,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_COMMENT,
  );
  while (nodes.nextNode()) {
    const node = nodes.currentNode;
    if (!(node instanceof Element)) {
      count('comments');
      continue;
    }
    const tag = `<${node.localName}>`;
    count(`the tag ${tag}`);
    for (const { name } of node.attributes) count(`the attribute ${name} of ${tag}`);
  }
  return counts;
}

/** How many characters around the first difference are quoted. */
const quoted = { before: 10, after: 30 };

/** Where no tag is lost, the same is written in another way. */
function describePlace(html: string, written: string): string {
  let same = 0;
  while (html[same] === written[same]) same++;
  const quote = (text: string) => {
    const part = text.slice(Math.max(0, same - quoted.before), same + quoted.after);
    return part.replace(/\s+/g, ' ').trim() || 'nothing';
  };
  return `the way in which “${quote(html)}” is written (it would become “${quote(written)}”)`;
}
